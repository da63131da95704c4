---------------------------- MODULE GrantSilence ----------------------------
(***************************************************************************)
(* When Redis may judge a process silent, with numbers.  One lock, several *)
(* processes that wait for it.  The lock itself is not modelled.           *)
(*                                                                         *)
(* The rules are those of the storage format:                              *)
(*   - A recheck sets UNTIL of its process to now + SPAN.  SPAN is some    *)
(*     rechecks of the process.  UNTIL never falls.                        *)
(*   - A recheck sets SEEN.  If SEEN is older than GAP rechecks, a new run *)
(*     begins: the recheck sets BEGAN as well.                             *)
(*   - A process is silent if SEEN is greater than UNTIL and than          *)
(*     BEGAN + SPAN.                                                       *)
(*   - A process that joins does the same as one that rechecks.            *)
(*   - A process that was heard a quarter of a recheck ago sets nothing.   *)
(*   - The keys expire some rechecks after the last recheck.               *)
(*                                                                         *)
(* Time is counted in ticks.  A stall is a time in which no recheck runs:  *)
(* Redis hangs, or no process reaches it.  After a stall, each live process*)
(* sends its recheck within one interval.                                  *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Procs,
  Every,          \* the recheck intervals of each process, a set of ticks: more than one if its waiters differ
  MaxT,
  MaxStalls,
  Mortal,         \* processes that may crash
  Span, Gap,      \* in halves of a recheck: silence is counted after Span; a run ends after a pause of Gap
  KeyLife,        \* the keys expire so many rechecks after the last one; 0: never
  FixRun,         \* FALSE: BEGAN is never set again
  FixLeast,       \* FALSE: the pause is counted in rechecks of the sender; TRUE: in those of the fastest process of the run
  FixPair         \* UNTIL and SPAN change together only

VARIABLES now, stalled, stalls, up,
  known,          \* processes with a field
  until, span, seen, began, least, exp,
  due,            \* the time by which each process sends its next recheck
  heard,          \* history: when Redis heard the process last
  resumed         \* history: the end of the last stall
vars == <<now, stalled, stalls, up, known, until, span, seen, began, least, exp, due, heard, resumed>>

Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Least(S) == CHOOSE x \in S : \A y \in S : x <= y
Most(S) == CHOOSE x \in S : \A y \in S : x >= y

Length(r) == (Span * r) \div 2

\* every process waits from the beginning, and Redis has just heard it
Init ==
  /\ now = 0 /\ stalled = FALSE /\ stalls = 0 /\ up = Procs /\ known = Procs
  /\ span = [p \in Procs |-> Length(Most(Every[p]))] /\ until = span /\ heard = [p \in Procs |-> 0]
  /\ seen = 0 /\ began = 0
  /\ least = Least(UNION {Every[p] : p \in Procs})
  /\ exp = KeyLife * Most(UNION {Every[p] : p \in Procs})
  /\ due = [p \in Procs |-> Least(Every[p])]
  /\ resumed = 0

Silent(p) == p \in known /\ seen > until[p] /\ (seen > began + span[p] \/ ~FixRun)
Expired == KeyLife > 0 /\ now >= exp

\* a process sends in time; a stall holds every recheck back
Tick ==
  /\ now < MaxT /\ now' = now + 1
  /\ stalled \/ \A p \in up : now < due[p]
  /\ UNCHANGED <<stalled, stalls, up, known, until, span, seen, began, least, exp, due, heard, resumed>>

\* the process was heard at most a quarter of a recheck ago: nothing is set
Fresh(p, r) == span[p] >= Length(r) /\ 4 * (now - until[p] + span[p]) <= r

Kept(p, r) ==
  /\ ~stalled /\ p \in up /\ p \in known /\ ~Expired /\ r \in Every[p] /\ heard[p] < now /\ Fresh(p, r)
  /\ due' = [due EXCEPT ![p] = now + Least(Every[p])]
  /\ heard' = [heard EXCEPT ![p] = now]
  /\ UNCHANGED <<now, stalled, stalls, up, known, until, span, seen, began, least, exp, resumed>>

\* the due recheck, or one before because another waiter joins
Recheck(p, r) ==
  LET s == Length(r)
      rest == ~FixPair \/ now + s >= until[p]
      fast == IF FixLeast THEN Min(least, r) ELSE r
      new == 2 * (now - seen) > Gap * fast
  IN
  /\ ~stalled /\ p \in up /\ p \in known /\ ~Expired /\ r \in Every[p] /\ heard[p] < now /\ ~Fresh(p, r)
  /\ until' = [until EXCEPT ![p] = Max(@, now + s)]
  /\ span' = IF rest THEN [span EXCEPT ![p] = s] ELSE span
  /\ seen' = now
  /\ began' = IF new THEN now ELSE began
  /\ least' = IF new THEN r ELSE Min(least, r)
  /\ exp' = Max(exp, now + KeyLife * r)
  /\ due' = [due EXCEPT ![p] = now + Least(Every[p])]
  /\ heard' = [heard EXCEPT ![p] = now]
  /\ UNCHANGED <<now, stalled, stalls, up, known, resumed>>

\* a search meets a silent process
Remove(p) ==
  /\ ~stalled /\ Silent(p) /\ known' = known \ {p}
  /\ UNCHANGED <<now, stalled, stalls, up, until, span, seen, began, least, exp, due, heard, resumed>>

Stall ==
  /\ ~stalled /\ stalls < MaxStalls /\ stalled' = TRUE /\ stalls' = stalls + 1
  /\ UNCHANGED <<now, up, known, until, span, seen, began, least, exp, due, heard, resumed>>
Resume ==
  /\ stalled /\ stalled' = FALSE /\ resumed' = now
  /\ due' = [p \in Procs |-> now + Least(Every[p])]
  /\ UNCHANGED <<now, stalls, up, known, until, span, seen, began, least, exp, heard>>
Crash(p) ==
  /\ p \in up \cap Mortal /\ up' = up \ {p}
  /\ due' = [due EXCEPT ![p] = MaxT + 1]
  /\ UNCHANGED <<now, stalled, stalls, known, until, span, seen, began, least, exp, heard, resumed>>

Next == \/ Tick \/ Stall \/ Resume
        \/ \E p \in Procs : Remove(p) \/ Crash(p) \/ \E r \in Every[p] : Recheck(p, r) \/ Kept(p, r)
Spec == Init /\ [][Next]_vars

\* Redis judges no process silent that sends its rechecks in time.
LiveStays == \A p \in up : ~Silent(p) /\ p \in known
\* The keys outlive a stall.
KeysStay == up # {} => ~Expired
\* A process that is dead becomes silent while another rechecks: within its span and two refreshes of the others,
\* each of them at most one and a quarter intervals apart, counted from when it was heard, or from the end of a stall.
Others == up # {}
Bound(p) ==
  LET r == Most(UNION {Every[q] : q \in Procs})
  IN Max(heard[p], resumed) + Length(Most(Every[p])) + (5 * r) \div 2
DeadGoes == \A p \in Procs \ up : Others /\ ~stalled /\ now > Bound(p) => Silent(p) \/ p \notin known
\* The text says: a process was last heard at UNTIL - SPAN.
HeardIsTrue == \A p \in known : until[p] - span[p] <= heard[p]

\* Intervals, for the .cfg: Every <- Same
Same == [p \in Procs |-> {2}]
Fine == [p \in Procs |-> {4}]
Mixed == [p \in Procs |-> IF p = 1 THEN {8} ELSE {2}]
Both == [p \in Procs |-> IF p = 1 THEN {2, 6} ELSE {2}]
=============================================================================
