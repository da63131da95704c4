---------------------------- MODULE GrantPermits ----------------------------
(* A semaphore, with ticks: permits of different requests, the sizes that their processes state, and patience. Each
   request is of a process of its own. Scripts are single steps, and a client knows at once what its script has done:
   GrantModes shows how holders that share a name learn of their grants, for which permits have no rule of their own. *)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS N, Count, Size, Pass,   \* per request: permits, the size that its process states, ticks for which it may be passed
          Lease, MaxT,            \* ticks
          MayGiveUp,              \* requests that may leave the queue
          Larger,                 \* the size that an operator may set for a lease
          BCrash, BDeaf, BSet,                                     \* how often each happens
          FixFits,     \* a request is granted as many permits as are free
          FixForget,   \* permits come back when a lease ends
          FixLeast,    \* the smallest size that is stated counts
          FixOwn,      \* no request is granted permits beyond the size that its own process states
          FixState,    \* a grant states the size of its process
          FixQueue,    \* a new request does not pass those that wait
          FixPlace,    \* a request keeps its place when it asks again
          FixPass,     \* a request is not passed any longer than its patience
          FixLarge,    \* a request for more than the size is passed
          FixAll,      \* a hand-over grants all that fit
          FixLeave,    \* a request that leaves hands over
          FixSet       \* a larger size hands over

Ids == 1..N
Stream4 == [r \in 1..4 |-> IF r = 4 THEN 2 ELSE 1]
Three   == [r \in 1..3 |-> IF r = 2 THEN 2 ELSE 1]
Twos4   == [r \in 1..4 |-> 2]
Two4    == [r \in 1..4 |-> IF r = 4 THEN 1 ELSE 0]
Mixed3  == [r \in 1..3 |-> IF r = 2 THEN 2 ELSE 3]
Small3  == [r \in 1..3 |-> IF r = 2 THEN 2 ELSE 1]
None3   == [r \in 1..3 |-> 0]
One3    == [r \in 1..3 |-> IF r = 2 THEN 1 ELSE 0]
Two3    == [r \in 1..3 |-> IF r = 2 THEN 2 ELSE 0]

VARIABLES now,
          ends,     \* per request: when its lease ends; 0: it has no permits
          used,     \* the count of permits in use
          q, came,  \* the queue, and since when a request is in it
          stated,   \* per size: until when it is stated
          set,      \* until when the size of the operator counts
          deaf,     \* requests that cannot be notified
          st, crashed, gone,
          arr,      \* those that wait, in the order in which they came
          ran,      \* when a script ran last
          first,    \* requests that came when no other waited
          bad, b
vars == <<now, ends, used, q, came, stated, set, deaf, st, crashed, gone, arr, ran, first, bad, b>>

Up(r) == r \notin crashed
Range(s) == {s[i] : i \in DOMAIN s}
Without(s, r) == SelectSeq(s, LAMBDA x : x # r)
Max(x, y) == IF x > y THEN x ELSE y
Least(s) == CHOOSE x \in s : \A y \in s : x <= y
Most(s) == CHOOSE x \in s : \A y \in s : x >= y
Spend(k) == b[k] > 0 /\ b' = [b EXCEPT ![k] = @ - 1]
RECURSIVE Sum(_)
Sum(s) == IF s = {} THEN 0 ELSE LET r == CHOOSE r \in s : TRUE IN Count[r] + Sum(s \ {r})
Sizes == 1..Most({Size[r] : r \in Ids})

Init ==
  /\ now = 1 /\ ends = [r \in Ids |-> 0] /\ used = 0 /\ q = <<>> /\ came = [r \in Ids |-> 0]
  /\ stated = [z \in Sizes |-> 0] /\ set = 0 /\ deaf = {} /\ st = [r \in Ids |-> "idle"] /\ crashed = {} /\ gone = {}
  /\ arr = <<>> /\ ran = 1 /\ first = {} /\ bad = {}
  /\ b = [crash |-> BCrash, deaf |-> BDeaf, set |-> BSet]

-----------------------------------------------------------------------------
(* Redis. s: the state that a script works on. g: the requests that it has granted permits, in their order.            *)

Live(e) == {r \in Ids : e[r] > now}

\* each script begins with this: permits of leases that have ended come back
Begun ==
  LET late == {r \in Ids : ends[r] # 0 /\ ends[r] <= now} IN
  [e |-> [r \in Ids |-> IF r \in late THEN 0 ELSE ends[r]],
   u |-> IF FixForget THEN used - Sum(late) ELSE used,
   q |-> q, c |-> came, z |-> stated, o |-> set, g |-> <<>>]

Counts(s, r) ==
  LET all == {z \in Sizes : s.z[z] > now} IN
  IF s.o > now THEN Larger
  ELSE IF all = {} THEN Size[r]
  ELSE LET z == IF FixLeast THEN Least(all) ELSE Most(all) IN IF FixOwn /\ Size[r] < z THEN Size[r] ELSE z
Fits(s, r) == Count[r] <= Counts(s, r) - s.u + (IF FixFits THEN 0 ELSE 1)
State(s, r) == [s EXCEPT !.z[Size[r]] = Max(@, now + Lease)]
Give(s, r) ==
  LET t == [s EXCEPT !.e[r] = now + Lease, !.u = @ + Count[r], !.q = Without(@, r), !.g = Append(@, r)] IN
  IF FixState THEN State(t, r) ELSE t

Patient(s, r) == now < s.c[r] + Pass[r]
Passable(s, r) == (FixLarge /\ Count[r] > Counts(s, r)) \/ Patient(s, r) \/ ~FixPass \/ r \in deaf

RECURSIVE HandOver(_, _)
HandOver(s, i) ==
  IF i > Len(s.q) THEN s
  ELSE LET r == s.q[i] IN
    IF r \in gone THEN HandOver([s EXCEPT !.q = Without(@, r)], i)
    ELSE IF Fits(s, r) /\ r \notin deaf THEN (IF FixAll THEN HandOver(Give(s, r), i) ELSE Give(s, r))
    ELSE IF Passable(s, r) THEN HandOver(s, i + 1)
    ELSE s

\* those that wait and hear, and which no other may pass, before a grant
Kept(s, r) == Up(r) /\ r \notin deaf /\ Count[r] <= Counts(s, r) /\ ~Patient(s, r)
Before(a, r) == {a[i] : i \in {i \in DOMAIN a : \A j \in 1..i : a[j] # r}}
\* a waiter that could have permits now
Idle(s, a) == \E i \in DOMAIN a : /\ Up(a[i]) /\ a[i] \notin deaf /\ Count[a[i]] <= Counts(s, a[i]) - Sum(Live(s.e))
                                  /\ \A j \in 1..(i - 1) : ~Kept(s, a[j])

\* ends a script. a: those that wait, before it; hands: whether it hands over; out: those whose request is over
Finish(s0, a, hands, out) ==
  LET s == IF hands THEN HandOver(s0, 1) ELSE s0
      rest == SelectSeq(a, LAMBDA x : x \notin Range(s.g))
      holders == Live(s.e)
  IN /\ ends' = s.e /\ used' = s.u /\ q' = s.q /\ came' = s.c /\ stated' = s.z /\ set' = s.o
     /\ arr' = rest /\ ran' = now
     /\ st' = [r \in Ids |-> IF r \in out THEN "over" ELSE IF r \in Range(s.g) THEN "held"
                                ELSE IF r \in Range(a) THEN "wait" ELSE st[r]]
     /\ bad' = bad
          \cup (IF s.g # <<>> /\ s.o <= now /\ \E r \in holders : Sum(holders) > Size[r] THEN {"exceeded"} ELSE {})
          \cup (IF \E i \in DOMAIN s.g : \E w \in Before(a, s.g[i]) \ Range(s.g) : Kept(s, w) THEN {"passed"} ELSE {})
          \cup (IF Idle(s, rest) THEN {"idle"} ELSE {})

Acquire(r, fresh) ==
  LET s == State(Begun, r)
      there == r \in Range(s.q)
      at == IF there /\ FixPlace THEN s
            ELSE [s EXCEPT !.q = Append(Without(@, r), r), !.c[r] = now]
      a == IF fresh THEN Append(arr, r) ELSE arr
  IN IF ~FixQueue /\ fresh /\ Fits(s, r) THEN Finish(Give(s, r), a, TRUE, {}) ELSE Finish(at, a, TRUE, {})

Ask(r) ==
  /\ Up(r) /\ st[r] = "idle"
  /\ Acquire(r, TRUE)
  /\ first' = IF arr = <<>> THEN first \cup {r} ELSE first
  /\ UNCHANGED <<now, deaf, crashed, gone, b>>

Again(r) ==
  /\ Up(r) /\ st[r] = "wait" /\ ran < now
  /\ Acquire(r, FALSE)
  /\ UNCHANGED <<now, first, deaf, crashed, gone, b>>

\* a release, also of permits whose lease has ended
Release(r) ==
  LET s == Begun
      t == IF s.e[r] = 0 THEN s ELSE [s EXCEPT !.e[r] = 0, !.u = @ - Count[r]] IN
  /\ Up(r) /\ st[r] = "held"
  /\ Finish(t, arr, TRUE, {r})
  /\ UNCHANGED <<now, first, deaf, crashed, gone, b>>

Leave(r) ==
  /\ Up(r) /\ st[r] = "wait" /\ r \in MayGiveUp
  /\ Finish([Begun EXCEPT !.q = Without(@, r)], Without(arr, r), FixLeave, {r})
  /\ UNCHANGED <<now, first, deaf, crashed, gone, b>>

Set ==
  /\ Spend("set")
  /\ Finish([Begun EXCEPT !.o = now + Lease], arr, FixSet, {})
  /\ UNCHANGED <<now, first, deaf, crashed, gone>>

Tick ==
  /\ now < MaxT /\ (ran = now \/ \A r \in Range(q) : ~Up(r))       \* a waiter asks once per tick, if no other script ran
  /\ now' = now + 1
  /\ UNCHANGED <<ends, used, q, came, stated, set, deaf, st, crashed, gone, arr, ran, first, bad, b>>

Deafen(r) ==
  /\ st[r] = "wait" /\ r \notin deaf /\ Spend("deaf")
  /\ deaf' = deaf \cup {r}
  /\ UNCHANGED <<now, ends, used, q, came, stated, set, st, crashed, gone, arr, ran, first, bad>>

Crash(r) ==
  /\ Up(r) /\ st[r] \in {"wait", "held"} /\ Spend("crash")
  /\ crashed' = crashed \cup {r} /\ gone' = gone \cup {r} /\ arr' = Without(arr, r)
  /\ UNCHANGED <<now, ends, used, q, came, stated, set, deaf, st, ran, first, bad>>

Next == Tick \/ Set \/ \E r \in Ids : Ask(r) \/ Again(r) \/ Release(r) \/ Leave(r) \/ Deafen(r) \/ Crash(r)
Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties.                                                             *)

TypeOk == Cardinality(Range(q)) = Len(q) /\ \A r \in Ids : st[r] \in {"idle", "wait", "held", "over"}

\* P1. The count is the sum of the permits that requests have, as of the last script.
Counted == used = Sum({r \in Ids : ends[r] # 0})

\* P1, P4. No grant goes beyond the size of a process that has permits, unless an operator has set a size.
Within == "exceeded" \notin bad

\* The permits that are free are with the first that may have them.
NeverIdle == "idle" \notin bad

\* No request is passed that must not be.
Fifo == "passed" \notin bad

\* P2, P3. A request that is the first to wait has its permits when its patience and the leases that ran then are over.
InTime == \A r \in first : (st[r] = "wait" /\ Up(r) /\ r \notin deaf /\ ran = now /\ \A s \in Ids : Size[s] = Size[r])
                            => now < came[r] + Pass[r] + Lease
=============================================================================
