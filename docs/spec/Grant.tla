------------------------------- MODULE Grant -------------------------------
(***************************************************************************)
(* The grant protocol for one exclusive lock.                              *)
(*                                                                         *)
(* The model has no time.  Clocks appear as predicates:                    *)
(*   ended    grants whose cautious end, by the client's clock, has passed.*)
(*            Redis expires a grant only afterwards.  GrantClock shows that*)
(*            the clock rules deliver this order.                          *)
(*   late     requests whose patience has passed by Redis's clock.         *)
(*   silent   processes that Redis judges silent.  GrantSilence shows that *)
(*            the rule with numbers never judges a process silent that     *)
(*            sends its rechecks in time.                                  *)
(*                                                                         *)
(* A script is one step (Exec).  Commands travel in an unordered set,      *)
(* because a command that timed out may run late.  `live` is FALSE when    *)
(* the sender does not wait for the reply any more.  Budgets bound the     *)
(* faults, so "eventually" means "once the faults have stopped".           *)
(*                                                                         *)
(* Each constant Fix... is a rule.  FALSE removes the rule, and an instance*)
(* in README.md finds what goes wrong.                                     *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  N,              \* requests 1..N; each id is used once
  NI,             \* processes 1..NI; request r belongs to process InstOf[r]
  Tries,          \* requests that do not wait
  Unbounded,      \* requests that wait without a bound
  MayGiveUp,      \* requests whose caller may time out or be interrupted
  LoseAll,        \* TRUE: every message is lost, so only rechecks help
  Warm,           \* TRUE: in the beginning request N holds the lock, and all others wait for it in order
  MaxTok,         \* bound on the number of grants
  BDrop, BTimeout, BCrash, BSub, BSilent, BStall, BEarly, BFlush, BForce,  \* budgets
  FixDup,         \* a grant for a request that already holds is a second copy
  FixKeep,        \* a waiter that cannot be notified keeps its place
  FixTomb,        \* an end leaves a mark that refuses late acquires
  FixLeave,       \* release and leave are one script
  FixLost,        \* a holder that lost its lease still ends its request
  FixTtl,         \* the keys of the queue live as long as a process rechecks
  FixRun,         \* silence counts only in a run of rechecks without a pause
  FixOutlive,     \* the keys of the queue outlive a stall
  FixOldest,      \* a recheck reports that the oldest waiter is missing
  FixUnknown,     \* a recheck reports that its process has no field
  FixMine,        \* a recheck reports a holder of its own process
  FixMineStart,   \* that lease counts as after a message, not from the recheck
  FixTogether,    \* a process without a field gets new places for all its waiters
  FixMark,        \* a grant whose token is not above the mark is dropped
  FixMarkFree     \* the mark of a free lock is the fence

None == 0
Reqs == 1..N
Insts == 1..NI
InstOf == [r \in Reqs |-> ((r - 1) % NI) + 1]    \* N = 3, NI = 2: process 1 has 1 and 3

VARIABLES
  holder, htok,   \* the lock: request or None, token
  queue,          \* the records of the waiters, by arrival
  late,
  field,          \* processes with a field
  silent,         \* processes with a field that Redis judges silent
  paused,         \* TRUE: there was a stall, and no recheck since
  tomb,           \* marks of ended requests
  ntok,           \* the fence
  sub,            \* processes with a working subscription
  inbox,          \* messages under way [k, r, t]
  net, rep,       \* commands [op, i, rs, live]; replies
  st, ct,         \* client: state of each request; token of its grant
  joined,         \* client: requests that an answer reported as waiting
  mark,           \* client: the mark of each request
  unans,          \* client: requests with an acquire that was not answered
  ended, crashed,
  absent,         \* history: processes that really sent nothing for too long
  from,           \* history: the fence when the command ran from which the client counts
  unsound,        \* history: requests that count their lease from too late
  arr,            \* history: live waiters in the order of their arrival
  bad,            \* history: what went wrong
  b               \* budgets left

redis  == <<holder, htok, queue, late, field, silent, paused, tomb, ntok>>
know   == <<ct, joined, mark, from, unsound>>
vars   == <<redis, sub, inbox, net, rep, st, know, unans, ended, crashed, absent, arr, bad, b>>

Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(x, y) == IF x > y THEN x ELSE y
Range(s) == {s[k] : k \in DOMAIN s}
Without(s, x) == SelectSeq(s, LAMBDA y : y # x)
Pos(s, x) == CHOOSE k \in DOMAIN s : s[k] = x
Up(r) == InstOf[r] \notin crashed
Of(i) == {r \in Reqs : InstOf[r] = i}
Spend(f) == b[f] > 0 /\ b' = [b EXCEPT ![f] = @ - 1]
\* the requests of a set, in the order of their arrival in the process
Sorted(S) == SelectSeq([k \in 1..N |-> k], LAMBDA x : x \in S)

First0 == IF Warm THEN [k \in 1..(N - 1) |-> k] ELSE <<>>
Init ==
  /\ ntok = (IF Warm THEN 1 ELSE 0) /\ holder = (IF Warm THEN N ELSE None) /\ htok = ntok
  /\ queue = First0 /\ arr = First0 /\ joined = Range(First0) /\ field = {InstOf[r] : r \in joined}
  /\ silent = {} /\ paused = FALSE /\ late = {} /\ tomb = {}
  /\ sub = Insts /\ inbox = {} /\ net = {} /\ rep = {}
  /\ st = [r \in Reqs |-> IF ~Warm THEN "idle" ELSE IF r = N THEN "held" ELSE "wait"]
  /\ ct = [r \in Reqs |-> IF Warm /\ r = N THEN 1 ELSE 0]
  /\ mark = [r \in Reqs |-> IF r \in joined THEN 1 ELSE 0] /\ from = mark /\ unsound = {}
  /\ unans = {} /\ ended = {} /\ crashed = {} /\ absent = {} /\ bad = {}
  /\ b = [drop |-> BDrop, timeout |-> BTimeout, crash |-> BCrash, sub |-> BSub, silent |-> BSilent,
          stall |-> BStall, early |-> BEarly, flush |-> BFlush, force |-> BForce]

-----------------------------------------------------------------------------
(* The hand-over.  `told` has the requests that learn of a grant from the  *)
(* reply.  A search removes the records of gone processes that it meets,   *)
(* and the fields of the silent ones among them.                           *)

Reachable(r) == InstOf[r] \in sub
Gone(r, fld, sil) == InstOf[r] \notin fld \/ InstOf[r] \in sil

HandOver(q, told, fld, sil) ==
  LET dead(r) == r \in late \/ Gone(r, fld, sil)
      skip(r) == dead(r) \/ (r \notin told /\ ~Reachable(r))
      keep(r) == FixKeep /\ ~dead(r)
      ks  == {k \in DOMAIN q : ~skip(q[k])}
      k   == IF ks = {} THEN Len(q) + 1 ELSE Min(ks)
      met == {q[n] : n \in 1..(k - 1)}
  IN [winner |-> IF ks = {} THEN None ELSE q[k],
      queue  |-> SelectSeq(SubSeq(q, 1, k - 1), keep) \o SubSeq(q, k + 1, Len(q)),
      field  |-> fld \ {InstOf[r] : r \in {x \in met : InstOf[x] \in sil}}]

\* the live waiters that came earlier and could be notified
Overtaken(w, a) ==
  IF w \notin Range(a) THEN {}
  ELSE {x \in Range(a) : /\ Pos(a, x) < Pos(a, w)
                         /\ st[x] = "wait" /\ Up(x) /\ Reachable(x)
                         /\ x \notin late /\ InstOf[x] \notin absent}

\* a process that was really silent, and was removed, has lost its places; so has a late waiter
Line(a, h) == SelectSeq(a, LAMBDA x : ~(\/ InstOf[x] \in absent /\ InstOf[x] \notin h.field
                                        \/ x \in late /\ x \notin Range(h.queue)))

\* writes the outcome h of a hand-over; a is the order to judge it by
Install(h, told, a, sil) ==
  /\ holder' = h.winner /\ queue' = h.queue /\ field' = h.field /\ silent' = sil \cap h.field
  /\ IF h.winner = None
     THEN arr' = Line(a, h) /\ UNCHANGED <<htok, ntok, inbox, bad>>
     ELSE /\ ntok' = ntok + 1 /\ htok' = ntok + 1
          /\ arr' = Without(Line(a, h), h.winner)
          /\ inbox' = IF h.winner \in told \/ LoseAll \/ InstOf[h.winner] \notin sub THEN inbox
                      ELSE inbox \cup {[k |-> "grant", r |-> h.winner, t |-> ntok + 1]}
          /\ bad' = IF Overtaken(h.winner, a) # {} THEN bad \cup {"overtaken"} ELSE bad

-----------------------------------------------------------------------------
(* Redis: one script, one step.                                            *)

\* what every answer about a lock says: holder, its token, the mark; `fence` is history
Seen == [h |-> holder', t |-> htok', fence |-> ntok',
         mark |-> IF holder' # None THEN htok' ELSE IF FixMarkFree THEN ntok' ELSE 0]
NoSeen == [h |-> None, t |-> 0, fence |-> 0, mark |-> 0]
Reply(c, res, seen, missing, unknown) ==
  rep' = IF c.live /\ c.i \notin crashed
         THEN rep \cup {[op |-> c.op, i |-> c.i, rs |-> c.rs, res |-> res, seen |-> seen,
                         missing |-> missing, unknown |-> unknown,
                         gone |-> c.op = "chk" /\ holder' # Head(c.rs)
                                  /\ (Head(c.rs) \notin Range(queue') \/ c.i \notin field')]}
         ELSE rep

\* acquire for some requests of a process, which also joins the queue for it
ExecAcquire(c) ==
  LET i    == c.i
      rs   == SelectSeq(c.rs, LAMBDA r : r \notin tomb /\ r # holder)
      try  == Range(rs) \cap Tries
      mine == Range(rs)
      old  == IF i \in field \/ ~FixTogether THEN queue ELSE SelectSeq(queue, LAMBDA x : x \notin mine)
      new  == SelectSeq(rs, LAMBDA x : x \notin Range(old))
      q    == old \o new
      fld  == IF mine = {} THEN field ELSE field \cup {i}
      sil  == IF mine = {} THEN silent ELSE silent \ {i}
      a    == arr \o SelectSeq(rs, LAMBDA x : x \notin Range(arr) /\ st[x] = "wait" /\ Up(x) /\ x \notin Tries)
      h    == HandOver(q, mine, fld, sil)
      h2   == [h EXCEPT !.queue = SelectSeq(@, LAMBDA x : x \notin try)]
      res(w) == [r \in Range(c.rs) |-> IF r = w THEN "granted" ELSE IF r \in tomb THEN "gone" ELSE "busy"]
  IN /\ absent' = IF mine = {} THEN absent ELSE absent \ {i}
     /\ late' = late \ Range(new)      \* patience counts from the arrival
     /\ UNCHANGED <<tomb, paused>>
     /\ IF mine = {} \/ holder # None THEN
          /\ queue' = SelectSeq(q, LAMBDA x : x \notin try)
          /\ field' = fld /\ silent' = sil
          /\ arr' = IF mine = {} THEN arr ELSE a
          /\ UNCHANGED <<holder, htok, ntok, inbox, bad>>
          /\ Reply(c, res(holder), Seen, FALSE, FALSE)
        ELSE
          /\ ntok < MaxTok
          /\ Install(h2, mine, a, sil)
          /\ Reply(c, res(h2.winner), Seen, FALSE, FALSE)

\* recheck: one command per process, with its oldest waiter
ExecRecheck(c) ==
  LET i   == c.i
      r   == Head(c.rs)
      unknown == i \notin field
      judged  == IF ~paused THEN silent ELSE IF FixRun THEN {} ELSE field
      sil == judged \ {i}
      h   == HandOver(queue, IF FixMine THEN Of(i) ELSE {}, field, sil)
      gone(w) == r \notin Range(queue) /\ w # r
  IN /\ paused' = FALSE
     /\ absent' = IF unknown THEN absent ELSE absent \ {i}
     /\ UNCHANGED <<late, tomb>>
     /\ IF holder # None THEN
          /\ silent' = sil
          /\ UNCHANGED <<holder, htok, queue, field, ntok, inbox, arr, bad>>
          /\ Reply(c, [x \in {} |-> ""], Seen, gone(holder) /\ FixOldest, unknown /\ FixUnknown)
        ELSE
          /\ ntok < MaxTok
          /\ Install(h, IF FixMine THEN Of(i) ELSE {}, arr, sil)
          /\ Reply(c, [x \in {} |-> ""], Seen, r \notin Range(queue') /\ h.winner # r /\ FixOldest,
                   unknown /\ FixUnknown)

ExecRelease(c) ==
  LET r == Head(c.rs)
      h == HandOver(queue, {}, field, silent) IN
  /\ tomb' = IF FixTomb THEN tomb \cup {r} ELSE tomb
  /\ UNCHANGED <<late, paused, absent>>
  /\ IF holder = r
     THEN /\ ntok < MaxTok \/ queue = <<>>
          /\ Install(h, {}, arr, silent)
          /\ Reply(c, [x \in {r} |-> "released"], NoSeen, FALSE, FALSE)
     ELSE /\ queue' = IF FixLeave THEN Without(queue, r) ELSE queue
          /\ Reply(c, [x \in {r} |-> "lost"], NoSeen, FALSE, FALSE)
          /\ UNCHANGED <<holder, htok, field, silent, ntok, inbox, arr, bad>>

ExecLeave(c) ==
  LET r == Head(c.rs)
      h == HandOver(queue, {}, field, silent) IN
  /\ tomb' = IF FixTomb THEN tomb \cup {r} ELSE tomb
  /\ UNCHANGED <<late, paused, absent>>
  /\ IF holder = r
     THEN IF FixLeave
          THEN /\ ntok < MaxTok \/ queue = <<>>
               /\ Install(h, {}, arr, silent)
               /\ Reply(c, [x \in {r} |-> "left"], NoSeen, FALSE, FALSE)
          ELSE /\ Reply(c, [x \in {r} |-> "granted"], NoSeen, FALSE, FALSE)
               /\ UNCHANGED <<holder, htok, queue, field, silent, ntok, inbox, arr, bad>>
     ELSE /\ queue' = Without(queue, r)
          /\ Reply(c, [x \in {r} |-> "left"], NoSeen, FALSE, FALSE)
          /\ UNCHANGED <<holder, htok, field, silent, ntok, inbox, arr, bad>>

Exec(c) ==
  /\ c \in net
  /\ net' = net \ {c}
  /\ CASE c.op = "acq" -> ExecAcquire(c)
       [] c.op = "chk" -> ExecRecheck(c)
       [] c.op = "rel" -> ExecRelease(c)
       [] c.op = "leave" -> ExecLeave(c)
  /\ UNCHANGED <<sub, st, know, unans, ended, crashed, b>>

\* the lease: first the client's cautious end passes, then Redis's
Unaware == ~Up(holder) \/ st[holder] = "done"
LocalEnd ==
  /\ holder # None /\ htok \notin ended
  /\ ended' = ended \cup {htok}
  /\ \/ Unaware /\ b' = b
     \/ ~Unaware /\ Spend("early")      \* a pause, or work that outlives its lease
  /\ UNCHANGED <<redis, sub, inbox, net, rep, st, know, unans, crashed, absent, arr, bad>>

Expire ==
  /\ holder # None /\ htok \in ended
  /\ holder' = None
  /\ UNCHANGED <<htok, queue, late, field, silent, paused, tomb, ntok>>
  /\ UNCHANGED <<sub, inbox, net, rep, st, know, unans, ended, crashed, absent, arr, bad, b>>

TooLate(r) ==    \* the client gives up first, by its own clock
  /\ r \in Range(queue) /\ r \notin late /\ r \notin Unbounded
  /\ st[r] # "wait" \/ ~Up(r)
  /\ late' = late \cup {r}
  /\ UNCHANGED <<holder, htok, queue, field, silent, paused, tomb, ntok>>
  /\ UNCHANGED <<sub, inbox, net, rep, st, know, unans, ended, crashed, absent, arr, bad, b>>

WaitsIn(i) == \E r \in Of(i) : st[r] = "wait" /\ r \notin Tries
GoSilent(i) ==   \* three rechecks of the run have passed without one of this process
  /\ i \in field \ silent /\ ~paused
  /\ \E j \in Insts \ {i} : j \notin crashed /\ WaitsIn(j)      \* another process rechecks
  /\ \/ (i \in crashed \/ ~WaitsIn(i)) /\ b' = b
     \/ i \notin crashed /\ WaitsIn(i) /\ Spend("silent")      \* it lives, but is paused or cut off
  /\ silent' = silent \cup {i} /\ absent' = absent \cup {i}
  /\ UNCHANGED <<holder, htok, queue, late, field, paused, tomb, ntok>>
  /\ UNCHANGED <<sub, inbox, net, rep, st, know, unans, ended, crashed, arr, bad>>

Stall ==         \* Redis, or every process, is quiet for longer than three rechecks
  /\ ~paused /\ field # {} /\ Spend("stall")
  /\ paused' = TRUE
  /\ queue' = IF FixOutlive THEN queue ELSE <<>>
  /\ field' = IF FixOutlive THEN field ELSE {}
  /\ silent' = silent \cap field'
  /\ UNCHANGED <<holder, htok, late, tomb, ntok>>
  /\ UNCHANGED <<sub, inbox, net, rep, st, know, unans, ended, crashed, absent, arr, bad>>

QueueTtl ==
  /\ queue # <<>> \/ field # {}
  /\ IF FixTtl THEN \A i \in field \cup {InstOf[r] : r \in Range(queue)} : i \in crashed \/ ~WaitsIn(i) \/ i \in absent
               ELSE queue # <<>> /\ \A r \in Range(queue) : r \in late
  /\ queue' = <<>> /\ field' = {} /\ silent' = {}
  /\ arr' = SelectSeq(arr, LAMBDA r : r \notin Range(queue))
  /\ UNCHANGED <<holder, htok, late, paused, tomb, ntok>>
  /\ UNCHANGED <<sub, inbox, net, rep, st, know, unans, ended, crashed, absent, bad, b>>

Flush ==
  /\ Spend("flush")
  /\ holder' = None /\ queue' = <<>> /\ tomb' = {} /\ late' = {} /\ field' = {} /\ silent' = {} /\ paused' = FALSE
  /\ arr' = <<>>
  /\ UNCHANGED <<htok, ntok>>
  /\ UNCHANGED <<sub, inbox, net, rep, st, know, unans, ended, crashed, absent, bad>>

Force ==
  /\ holder # None /\ ntok < MaxTok /\ Spend("force")
  /\ LET m == IF InstOf[holder] \in sub /\ ~LoseAll THEN {[k |-> "revoked", r |-> holder, t |-> htok]} ELSE {}
         h == HandOver(queue, {}, field, silent)
     IN /\ holder' = h.winner /\ queue' = h.queue /\ field' = h.field /\ silent' = silent \cap h.field
        /\ arr' = IF h.winner = None THEN Line(arr, h) ELSE Without(Line(arr, h), h.winner)
        /\ IF h.winner = None THEN inbox' = inbox \cup m /\ UNCHANGED <<htok, ntok>>
           ELSE /\ ntok' = ntok + 1 /\ htok' = ntok + 1
                /\ inbox' = inbox \cup m \cup
                     (IF InstOf[h.winner] \in sub /\ ~LoseAll
                      THEN {[k |-> "grant", r |-> h.winner, t |-> ntok + 1]} ELSE {})
  /\ UNCHANGED <<late, paused, tomb>>
  /\ UNCHANGED <<sub, net, rep, st, know, unans, ended, crashed, absent, bad>>

-----------------------------------------------------------------------------
(* The client.                                                             *)

InFlight(op, r) == \/ \E c \in net : c.op = op /\ r \in Range(c.rs) /\ c.live
                   \/ \E p \in rep : p.op = op /\ r \in Range(p.rs)
Cmd(op, rs, l) == [op |-> op, i |-> InstOf[Head(rs)], rs |-> rs, live |-> l]
One(op, r, l) == Cmd(op, <<r>>, l)

ClientOnly == UNCHANGED <<redis, unans, ended, crashed, absent, bad, b>>

Start(r) ==
  /\ Up(r) /\ st[r] = "idle"
  /\ \A x \in Of(InstOf[r]) : x < r => st[x] # "idle"
  /\ st' = [st EXCEPT ![r] = "wait"]
  /\ net' = net \cup {One("acq", r, TRUE)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, know, arr>>

\* an acquire that was not answered, or whose record an answer reported missing
Ask(i) ==
  LET S == {r \in Of(i) : st[r] = "wait" /\ r \notin joined /\ ~InFlight("acq", r)} IN
  /\ i \notin crashed /\ S # {}
  /\ net' = net \cup {Cmd("acq", Sorted(S), TRUE)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, st, know, arr>>

Recheck(i) ==
  LET S == {r \in Of(i) \cap joined : st[r] = "wait"} IN
  /\ i \notin crashed /\ S # {}
  /\ \A r \in Of(i) : ~InFlight("chk", r)
  /\ net' = net \cup {One("chk", Min(S), TRUE)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, st, know, arr>>

GiveUp(r) ==     \* the wait time is over, or the caller is interrupted
  /\ Up(r) /\ st[r] = "wait" /\ r \in MayGiveUp
  /\ st' = [st EXCEPT ![r] = "leaving"]
  /\ net' = net \cup {One("leave", r, TRUE)}
  /\ arr' = Without(arr, r)
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, know>>

Valid(r) == ct[r] \notin ended \/ r \in unsound
Release(r) ==
  /\ Up(r) /\ st[r] = "held" /\ Valid(r)
  /\ st' = [st EXCEPT ![r] = "releasing"]
  /\ unsound' = unsound \ {r}
  /\ net' = net \cup {One("rel", r, TRUE)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, ct, joined, mark, from, arr>>

Lost(r) ==       \* the local end has passed: the holder is told
  /\ Up(r) /\ st[r] = "held" /\ ~Valid(r)
  /\ IF FixLost THEN /\ st' = [st EXCEPT ![r] = "releasing"]
                     /\ net' = net \cup {One("rel", r, TRUE)}
                ELSE st' = [st EXCEPT ![r] = "done"] /\ UNCHANGED net
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, know, arr>>

Resend(r) ==
  /\ Up(r)
  /\ \/ st[r] = "leaving" /\ ~InFlight("leave", r) /\ net' = net \cup {One("leave", r, TRUE)}
     \/ st[r] = "releasing" /\ ~InFlight("rel", r) /\ net' = net \cup {One("rel", r, TRUE)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, st, know, arr>>

Over(r) == st[r] \in {"leaving", "releasing", "done"}

\* Request r learns that it was granted with token t.  `start` is the fence when the command ran from which it counts.
\* A grant that is older than that command is overtaken.  A grant whose end has passed is none.
Take(r, t, start) ==
  IF (FixMark /\ t <= mark[r]) \/ (t > start /\ t \in ended)
  THEN UNCHANGED <<st, ct, unsound, arr>>
  ELSE /\ st' = [st EXCEPT ![r] = "held"] /\ ct' = [ct EXCEPT ![r] = t]
       /\ unsound' = IF t <= start THEN unsound \cup {r} ELSE unsound
       /\ arr' = Without(arr, r)

Deliver(m) ==
  /\ m \in inbox /\ Up(m.r) /\ InstOf[m.r] \in sub
  /\ inbox' = inbox \ {m}
  /\ IF m.k = "revoked"
     THEN /\ IF st[m.r] # "held" \/ ct[m.r] # m.t THEN UNCHANGED <<st, net, unsound>>
             ELSE /\ unsound' = unsound \ {m.r}
                  /\ IF FixLost THEN /\ st' = [st EXCEPT ![m.r] = "releasing"]
                                     /\ net' = net \cup {One("rel", m.r, TRUE)}
                                ELSE st' = [st EXCEPT ![m.r] = "done"] /\ UNCHANGED net
          /\ UNCHANGED <<ct, arr>>
     ELSE IF st[m.r] = "wait" THEN Take(m.r, m.t, from[m.r]) /\ UNCHANGED net
     ELSE \* a grant for a request that has ended is given back
          /\ net' = IF st[m.r] = "done" \/ (~FixDup /\ st[m.r] = "held")
                    THEN net \cup {One("rel", m.r, FALSE)} ELSE net
          /\ UNCHANGED <<st, ct, unsound, arr>>
  /\ ClientOnly /\ UNCHANGED <<sub, rep, joined, mark, from>>

\* the answer s moves the marks of the waiting requests in S
Marked(S, s) ==
  /\ mark' = [r \in Reqs |-> IF r \in S /\ st[r] = "wait" THEN Max(mark[r], s.mark) ELSE mark[r]]
  /\ from' = [r \in Reqs |-> IF r \in S /\ st[r] = "wait" THEN Max(from[r], s.fence) ELSE from[r]]

HandleAcquire(p) ==
  LET S  == Range(p.rs)
      w  == {r \in S : p.res[r] = "granted" /\ st[r] = "wait"}
      e  == {r \in S : Over(r) /\ p.res[r] # "gone"}              \* too late
      t  == {r \in S \cap Tries : st[r] = "wait" /\ p.res[r] # "granted"}
      busy == {r \in S : p.res[r] = "busy"}
      back == {One("leave", r, FALSE) : r \in e}
      open == IF FixTomb THEN t \cap unans ELSE {}               \* an earlier acquire may still run
  IN /\ net' = net \cup back \cup {One("leave", r, TRUE) : r \in open}
     /\ IF w # {} THEN
          LET r == CHOOSE x \in w : TRUE IN
          \* its own acquire: Redis sets the expiry again, so the lease counts from this command
          /\ IF p.seen.t \in ended THEN UNCHANGED <<st, ct, arr>>
             ELSE /\ st' = [st EXCEPT ![r] = "held"] /\ ct' = [ct EXCEPT ![r] = p.seen.t]
                  /\ arr' = Without(arr, r)
          /\ joined' = joined \cup busy
          /\ UNCHANGED unsound
          /\ Marked(busy, p.seen)
        ELSE
          /\ st' = [r \in Reqs |-> IF r \in open THEN "leaving" ELSE IF r \in t THEN "done" ELSE st[r]]
          /\ arr' = SelectSeq(arr, LAMBDA x : x \notin t)
          /\ joined' = joined \cup busy
          /\ Marked(busy, p.seen)
          /\ UNCHANGED <<ct, unsound>>

HandleRecheck(p) ==
  LET r == Head(p.rs)
      S == {x \in Of(p.i) : st[x] = "wait"}
      h == p.seen.h
      ours == FixMine /\ h # None /\ InstOf[h] = p.i
  IN /\ joined' = (joined \ (IF p.missing THEN {r} ELSE {})) \ (IF p.unknown THEN Of(p.i) ELSE {})
     /\ IF ours /\ h \in S
        THEN /\ Take(h, p.seen.t, IF FixMineStart THEN from[h] ELSE p.seen.fence)
             /\ Marked(S \ {h}, p.seen) /\ UNCHANGED net
        ELSE /\ net' = IF ours /\ st[h] = "done" THEN net \cup {One("rel", h, FALSE)} ELSE net
             /\ Marked(IF h # None /\ InstOf[h] = p.i /\ h \in S THEN S \ {h} ELSE S, p.seen)
             /\ UNCHANGED <<st, ct, unsound, arr>>

Handle(p) ==
  /\ p \in rep /\ p.i \notin crashed
  /\ rep' = rep \ {p}
  /\ LET r == Head(p.rs) IN
     CASE p.op = "acq" -> HandleAcquire(p)
       [] p.op = "chk" -> HandleRecheck(p)
       [] p.op = "leave" /\ st[r] = "leaving" /\ p.res[r] = "left" ->
            st' = [st EXCEPT ![r] = "done"] /\ UNCHANGED <<net, know, arr>>
       [] p.op = "leave" /\ st[r] = "leaving" /\ p.res[r] = "granted" ->
            /\ st' = [st EXCEPT ![r] = "releasing"]
            /\ net' = net \cup {One("rel", r, TRUE)}
            /\ UNCHANGED <<know, arr>>
       [] p.op = "rel" /\ st[r] = "releasing" ->
            st' = [st EXCEPT ![r] = "done"] /\ UNCHANGED <<net, know, arr>>
       [] OTHER -> UNCHANGED <<net, st, know, arr>>
  /\ ClientOnly /\ UNCHANGED <<sub, inbox>>

-----------------------------------------------------------------------------
(* The world.                                                              *)

Timeout(c) ==    \* the sender does not wait for the reply any more; the command may still run
  /\ c \in net /\ c.live /\ c.i \notin crashed /\ Spend("timeout")
  /\ net' = (net \ {c}) \cup {[c EXCEPT !.live = FALSE]}
  /\ unans' = IF c.op = "acq" THEN unans \cup Range(c.rs) ELSE unans
  /\ UNCHANGED <<redis, sub, inbox, rep, st, know, ended, crashed, absent, arr, bad>>

LoseReply(p) ==
  /\ p \in rep /\ Spend("timeout")
  /\ rep' = rep \ {p}
  /\ unans' = IF p.op = "acq" THEN unans \cup Range(p.rs) ELSE unans
  /\ UNCHANGED <<redis, sub, inbox, net, st, know, ended, crashed, absent, arr, bad>>

LoseCmd(c) ==
  /\ c \in net /\ ~c.live
  /\ net' = net \ {c}
  /\ UNCHANGED <<redis, sub, inbox, rep, st, know, unans, ended, crashed, absent, arr, bad, b>>

Drop(m) ==       \* a connection that is open on one side only, a fail-over
  /\ m \in inbox
  /\ IF InstOf[m.r] \notin sub \/ ~Up(m.r) THEN b' = b ELSE Spend("drop")
  /\ inbox' = inbox \ {m}
  /\ UNCHANGED <<redis, sub, net, rep, st, know, unans, ended, crashed, absent, arr, bad>>

SubDown(i) ==
  /\ i \in sub
  /\ IF i \in crashed THEN b' = b ELSE Spend("sub")
  /\ sub' = sub \ {i}
  /\ UNCHANGED <<redis, inbox, net, rep, st, know, unans, ended, crashed, absent, arr, bad>>

SubUp(i) ==
  /\ i \notin sub /\ i \notin crashed
  /\ sub' = sub \cup {i}
  /\ UNCHANGED <<redis, inbox, net, rep, st, know, unans, ended, crashed, absent, arr, bad, b>>

Crash(i) ==
  /\ i \notin crashed /\ Spend("crash")
  /\ crashed' = crashed \cup {i}
  /\ arr' = SelectSeq(arr, LAMBDA r : InstOf[r] # i)
  /\ rep' = {p \in rep : p.i # i}
  /\ net' = {[c EXCEPT !.live = c.live /\ c.i # i] : c \in net}
  /\ UNCHANGED <<redis, sub, inbox, st, know, unans, ended, absent, bad>>

Next ==
  \/ \E c \in net : Exec(c) \/ Timeout(c) \/ LoseCmd(c)
  \/ \E p \in rep : Handle(p) \/ LoseReply(p)
  \/ \E m \in inbox : Deliver(m) \/ Drop(m)
  \/ \E r \in Reqs : Start(r) \/ GiveUp(r) \/ Release(r) \/ Lost(r) \/ Resend(r) \/ TooLate(r)
  \/ \E i \in Insts : Ask(i) \/ Recheck(i) \/ GoSilent(i) \/ SubDown(i) \/ SubUp(i) \/ Crash(i)
  \/ LocalEnd \/ Expire \/ QueueTtl \/ Flush \/ Force \/ Stall

Fairness ==
  /\ \A r \in Reqs : /\ WF_vars(Release(r)) /\ WF_vars(Lost(r)) /\ WF_vars(Resend(r)) /\ WF_vars(TooLate(r))
                     /\ \A op \in {"acq", "rel", "leave"} :
                          /\ WF_vars(\E c \in net : r \in Range(c.rs) /\ c.op = op /\ Exec(c))
                          /\ WF_vars(\E p \in rep : r \in Range(p.rs) /\ p.op = op /\ Handle(p))
                     /\ WF_vars(\E m \in inbox : m.r = r /\ (Deliver(m) \/ (~Up(r) /\ Drop(m))))
  /\ \A i \in Insts : /\ WF_vars(Ask(i)) /\ WF_vars(Recheck(i))
                      /\ WF_vars(\E c \in net : c.i = i /\ c.op = "chk" /\ Exec(c))
                      /\ WF_vars(\E p \in rep : p.i = i /\ p.op = "chk" /\ Handle(p))
                      /\ WF_vars(GoSilent(i) /\ UNCHANGED b) /\ WF_vars(SubUp(i))
                      /\ WF_vars(i \in crashed /\ SubDown(i))
  /\ WF_vars(LocalEnd /\ UNCHANGED b) /\ WF_vars(Expire) /\ WF_vars(QueueTtl)

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness

-----------------------------------------------------------------------------
(* Properties.                                                             *)

Believes(r) == Up(r) /\ st[r] = "held" /\ Valid(r)

TypeOk == /\ holder \in Reqs \cup {None} /\ Range(queue) \subseteq Reqs
          /\ Cardinality(Range(queue)) = Len(queue)
          /\ silent \subseteq field /\ field \subseteq Insts

\* At most one client believes that it holds the lock, and Redis agrees.
OneBelieves == \A r, s \in Reqs : Believes(r) /\ Believes(s) => r = s
BeliefIsTrue == BFlush = 0 /\ BForce = 0 => \A r \in Reqs : Believes(r) => holder = r /\ htok = ct[r]

\* First come, first served among the waiters that live and can be notified.
Fifo == "overtaken" \notin bad

HolderNotQueued == holder \notin Range(queue)

\* A recheck that reports no loss means that the oldest waiter can be granted the lock.
AnswerIsTrue == \A p \in rep : p.gone => p.missing \/ p.unknown

\* A waiter is granted the lock, gives up, or dies.
NoLostWakeUp == \A r \in Reqs : (st[r] = "wait" /\ Up(r)) ~> (st[r] # "wait" \/ ~Up(r))

\* No garbage.
Clean == holder = None /\ queue = <<>> /\ field = {}
AllOver == \A r \in Reqs : ~Up(r) \/ st[r] = "done"
EventuallyClean == AllOver ~> Clean

\* No request that is over holds the lock, or waits, without an end under way.
NoGhostHolder == ~(/\ holder # None /\ Up(holder) /\ st[holder] = "done" /\ htok \notin ended
                   /\ net = {} /\ rep = {} /\ inbox = {})
NoGhostWaiter == ~(\E r \in Range(queue) : Up(r) /\ st[r] = "done" /\ net = {} /\ rep = {} /\ inbox = {})
\* The bound on grants cuts no behaviour short.
BoundNotHit == ntok < MaxTok
=============================================================================
