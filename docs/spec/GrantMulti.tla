----------------------------- MODULE GrantMulti -----------------------------
(***************************************************************************)
(* Requests for two locks in one slot, which are granted both or none. The *)
(* model has no fault and no recheck. Every message arrives, so a wake-up  *)
(* that is missing here is one that a recheck would have to repair.        *)
(* Requests come again and again, and each round stands for a new id. So a *)
(* waiter that others overtake for ever violates a liveness property.      *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Reqs, Multi,     \* requests; those that want both locks
  OnA,             \* the requests for one lock that want "a"; the others want "b"
  StandInAll,      \* FALSE: a request waits in the queues of its busy locks only
  HeadOfAll,       \* FALSE: the head of one queue is granted both, past waiters for the other lock
  MaxPass,         \* how often others may pass a waiter before its free locks are kept for it; 99: for ever
  Once             \* requests that come only once, so that a waiter may be left alone

Names == {"a", "b"}
Wants(r) == IF r \in Multi THEN Names ELSE IF r \in OnA THEN {"a"} ELSE {"b"}
None == "none"

VARIABLES holder, queue, st, passed
vars == <<holder, queue, st, passed>>
Range(s) == {s[k] : k \in DOMAIN s}
Without(s, X) == SelectSeq(s, LAMBDA y : y \notin X)

Init == /\ holder = [n \in Names |-> None] /\ queue = [n \in Names |-> <<>>]
        /\ st = [r \in Reqs |-> "idle"] /\ passed = [r \in Reqs |-> 0]

FreeFor(r, h) == \A n \in Wants(r) : h[n] = None

Pos(s, x) == CHOOSE k \in DOMAIN s : s[k] = x
Ahead(q, n, r) == IF r \in Range(q[n]) THEN {q[n][k] : k \in 1..(Pos(q[n], r) - 1)} ELSE {}

\* Others never pass a waiter for one lock.  They pass a waiter for both at most MaxPass times.
Passable(x, p) == x \in Multi /\ (MaxPass = 99 \/ p[x] < MaxPass)
Eligible(r, n, h, q, p) ==
  /\ FreeFor(r, h)
  /\ \A m \in (IF HeadOfAll THEN Wants(r) ELSE {n}) : \A x \in Ahead(q, m, r) : Passable(x, p)

\* Hands lock n to the first in its queue that is eligible.  Without one, the lock is kept or free.
Pick(n, h, q, p) ==
  LET ks == {k \in DOMAIN q[n] : h[n] = None /\ Eligible(q[n][k], n, h, q, p)}
      r  == q[n][CHOOSE k \in ks : \A l \in ks : k <= l]
      over == UNION {Ahead(q, m, r) : m \in Wants(r)}
  IN IF ks = {} THEN [h |-> h, q |-> q, p |-> p]
     ELSE [h |-> [m \in Names |-> IF m \in Wants(r) THEN r ELSE h[m]],
           q |-> [m \in Names |-> Without(q[m], {r})],
           p |-> [x \in Reqs |-> IF x = r THEN 0
                                 ELSE IF x \in over /\ MaxPass # 99 /\ p[x] < MaxPass THEN p[x] + 1 ELSE p[x]]]

\* hands over each released lock, in a fixed order
HandOver(ns, h, q, p) ==
  LET o == IF "a" \in ns THEN Pick("a", h, q, p) ELSE [h |-> h, q |-> q, p |-> p]
  IN IF "b" \in ns THEN Pick("b", o.h, o.q, o.p) ELSE o

Set(o) == /\ holder' = o.h /\ queue' = o.q /\ passed' = o.p

\* acquire: the request joins the queues, then every free lock is handed over
Acquire(r) ==
  /\ st[r] = "idle"
  /\ LET busy == {n \in Wants(r) : holder[n] # None}
         in   == IF StandInAll \/ busy = {} THEN Wants(r) ELSE busy
         q    == [n \in Names |-> IF n \in in THEN Append(queue[n], r) ELSE queue[n]]
     IN Set(HandOver({n \in Wants(r) : holder[n] = None}, holder, q, passed))
  /\ st' = [st EXCEPT ![r] = "wait"]

Learn(r) ==      \* the reply or the message
  /\ st[r] = "wait" /\ \A n \in Wants(r) : holder[n] = r
  /\ st' = [st EXCEPT ![r] = "held"] /\ UNCHANGED <<holder, queue, passed>>

Release(r) ==
  /\ st[r] = "held"
  /\ LET h == [n \in Names |-> IF holder[n] = r THEN None ELSE holder[n]]
     IN Set(HandOver(Wants(r), h, queue, passed))
  /\ st' = [st EXCEPT ![r] = IF r \in Once THEN "done" ELSE "idle"]

Leave(r) ==      \* a request gives up, and hands over the locks that were kept for it
  /\ st[r] = "wait" /\ \A n \in Names : holder[n] # r
  /\ LET q == [n \in Names |-> Without(queue[n], {r})]
     IN Set(HandOver({n \in Wants(r) : holder[n] = None}, holder, q, [passed EXCEPT ![r] = 0]))
  /\ st' = [st EXCEPT ![r] = IF r \in Once THEN "done" ELSE "idle"]

Next == \E r \in Reqs : Acquire(r) \/ Learn(r) \/ Release(r) \/ Leave(r)
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ \A r \in Reqs : WF_vars(Learn(r)) /\ WF_vars(Release(r))

\* A request holds both locks or none, and none while it waits.
AllOrNothing == \A r \in Multi : (\E n \in Names : holder[n] = r) => \A n \in Names : holder[n] = r
NotBoth == \A r \in Reqs : (\E n \in Names : holder[n] = r) => \A n \in Names : r \notin Range(queue[n])
\* No waiter's locks are all free while no script runs: that would be a lost wake-up.
NoFreeWaiter == \A r \in Reqs : st[r] = "wait" => ~FreeFor(r, holder)
\* weaker: its locks may be free behind a waiter for which one of them is kept
NoFreeWaiterUnkept == \A r \in Reqs : st[r] = "wait" /\ FreeFor(r, holder) =>
     \E n \in Wants(r) : \E x \in Ahead(queue, n, r) : ~Passable(x, passed)
\* While a request waits, a lock is held.
NoDeadlock == (\E r \in Reqs : st[r] = "wait") => \E n \in Names : holder[n] # None
NoStarvation == \A r \in Reqs : (st[r] = "wait") ~> (st[r] # "wait")
=============================================================================
