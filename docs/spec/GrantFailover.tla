---------------------------- MODULE GrantFailover ----------------------------
(***************************************************************************)
(* A lock on a primary with one replica, whose primary fails. README.md    *)
(* says where the code differs.                                            *)
(*                                                                         *)
(* The primary writes a log of what the lock is: its holder and the end of *)
(* its lease. The replica has a beginning of the log. A failover cuts the  *)
(* log off there. A script is one step.                                    *)
(*                                                                         *)
(* With replicas to acknowledge, a process that was granted the lock first *)
(* asks the primary whether it still has the grant. It counts the grant    *)
(* when the replica has the log up to that question. A renewal moves the   *)
(* local end of the lease only when the replica has it, too.               *)
(*                                                                         *)
(* The model has time in ticks, and one clock for all. GrantClock has their*)
(* differences. Queue and messages are those of Grant: here a process is   *)
(* granted a lock that is free.                                            *)
(*                                                                         *)
(* Each constant Fix... is a rule. FALSE removes the rule.                 *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  N,          \* processes 1..N
  Lease,      \* in ticks
  MaxT,
  BFail, BRenew,  \* budgets: failovers, renewals
  FixAck,     \* a grant counts only when the replica has it
  FixAsk,     \* the primary is asked first whether it still has the grant
  FixSame,    \* a failover ends the wait for the replica, because it breaks the connection
  FixRenew    \* a renewal counts only when the replica has it

VARIABLES
  now,
  log, have,  \* what the lock was, [h, r, x]: holder, its request, end of the lease; how much of it the replica has
  st,         \* client: idle, told (granted), asked (waits for the replica), held
  req,        \* client: the number of its request
  till,       \* client: the local end of the lease
  mark,       \* client: the length of the log that the replica must have before the grant counts
  pend,       \* client: a renewal that waits for the replica, [m, x]; m = 0: none
  b           \* budgets left

vars == <<now, log, have, st, req, till, mark, pend, b>>

Procs == 1..N
None == 0
NoRenewal == [m |-> 0, x |-> 0]
Top == log[Len(log)]
Holder == IF Top.x > now THEN Top.h ELSE None
Mine(p) == Holder = p /\ Top.r = req[p]
Believes(p) == st[p] = "held" /\ till[p] > now
Spend(f) == b[f] > 0 /\ b' = [b EXCEPT ![f] = @ - 1]

Init ==
  /\ now = 0
  /\ log = <<[h |-> None, r |-> 0, x |-> 0]>> /\ have = 1
  /\ st = [p \in Procs |-> "idle"]
  /\ req = [p \in Procs |-> 0] /\ till = [p \in Procs |-> 0] /\ mark = [p \in Procs |-> 0] /\ pend = [p \in Procs |-> NoRenewal]
  /\ b = [fail |-> BFail, renew |-> BRenew]

\* the primary grants the lock; the lease counts from the command
Acquire(p) ==
  /\ st[p] = "idle" /\ Holder = None
  /\ req' = [req EXCEPT ![p] = @ + 1]
  /\ log' = Append(log, [h |-> p, r |-> req'[p], x |-> now + Lease])
  /\ till' = [till EXCEPT ![p] = now + Lease]
  /\ st' = [st EXCEPT ![p] = IF FixAck THEN "told" ELSE "held"]
  /\ UNCHANGED <<now, have, mark, pend, b>>

\* the process asks the primary, on a connection on which it then waits for the replica
Ask(p) ==
  /\ st[p] = "told"
  /\ IF FixAsk /\ ~Mine(p)
     THEN st' = [st EXCEPT ![p] = "idle"] /\ UNCHANGED mark
     ELSE st' = [st EXCEPT ![p] = "asked"] /\ mark' = [mark EXCEPT ![p] = Len(log)]
  /\ UNCHANGED <<now, log, have, req, till, pend, b>>

Acknowledged(p) ==
  /\ st[p] = "asked" /\ have >= mark[p]
  /\ st' = [st EXCEPT ![p] = "held"]
  /\ UNCHANGED <<now, log, have, req, till, mark, pend, b>>

\* a release, or the end of a request whose grant was not acknowledged in time
End(p) ==
  /\ st[p] # "idle"
  /\ st' = [st EXCEPT ![p] = "idle"]
  /\ pend' = [pend EXCEPT ![p] = NoRenewal]
  /\ log' = IF Mine(p) THEN Append(log, [h |-> None, r |-> 0, x |-> 0]) ELSE log
  /\ UNCHANGED <<now, have, req, till, mark, b>>

Renew(p) ==
  /\ Believes(p) /\ pend[p].m = 0 /\ Mine(p) /\ Spend("renew")
  /\ log' = Append(log, [h |-> p, r |-> req[p], x |-> now + Lease])
  /\ IF FixRenew
     THEN pend' = [pend EXCEPT ![p] = [m |-> Len(log) + 1, x |-> now + Lease]] /\ UNCHANGED till
     ELSE till' = [till EXCEPT ![p] = now + Lease] /\ UNCHANGED pend
  /\ UNCHANGED <<now, have, st, req, mark>>

RenewalAcknowledged(p) ==
  /\ pend[p].m > 0 /\ have >= pend[p].m /\ Believes(p)
  /\ till' = [till EXCEPT ![p] = pend[p].x]
  /\ pend' = [pend EXCEPT ![p] = NoRenewal]
  /\ UNCHANGED <<now, log, have, st, req, mark, b>>

Replicate ==
  /\ have < Len(log) /\ have' = have + 1
  /\ UNCHANGED <<now, log, st, req, till, mark, pend, b>>

\* the replica becomes the primary, and gets a replica that has all
Failover ==
  /\ Spend("fail")
  /\ log' = SubSeq(log, 1, have) /\ UNCHANGED have
  /\ IF FixSame
     THEN /\ st' = [p \in Procs |-> IF st[p] = "asked" THEN "told" ELSE st[p]]
          /\ pend' = [p \in Procs |-> NoRenewal]
     ELSE UNCHANGED <<st, pend>>
  /\ UNCHANGED <<now, req, till, mark>>

Tick ==
  /\ now < MaxT /\ now' = now + 1
  /\ UNCHANGED <<log, have, st, req, till, mark, pend, b>>

Next ==
  \/ \E p \in Procs : Acquire(p) \/ Ask(p) \/ Acknowledged(p) \/ End(p) \/ Renew(p) \/ RenewalAcknowledged(p)
  \/ Replicate \/ Failover \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
TypeOk ==
  /\ now \in 0..MaxT
  /\ have \in 1..Len(log)
  /\ \A k \in DOMAIN log : log[k].h \in Procs \cup {None}
  /\ \A p \in Procs : st[p] \in {"idle", "told", "asked", "held"}

OneBelieves == Cardinality({p \in Procs : Believes(p)}) <= 1
BeliefIsTrue == \A p \in Procs : Believes(p) => Mine(p) /\ Top.x >= till[p]

\* the log has no end of its own
Bounded == Len(log) <= 5 /\ \A p \in Procs : req[p] <= 2
=============================================================================
