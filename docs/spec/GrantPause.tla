----------------------------- MODULE GrantPause -----------------------------
(***************************************************************************)
(* A lock on servers of which one is the primary. The primary fails, and a *)
(* replica that lacks the last steps takes its place. README.md says where *)
(* the code differs.                                                       *)
(*                                                                         *)
(* As in GrantFailover, the primary writes a log, of which the replica has *)
(* a beginning. Each entry is what the lock is, and which primary wrote    *)
(* last that it is the primary, with the end of its pause. A failover cuts *)
(* the log off. A script is one step. The old primary grants nothing more. *)
(*                                                                         *)
(* A process that was granted the lock asks the primary whether its grants *)
(* count. The first that asks a new primary begins a pause, in which no    *)
(* grant counts. A request whose grant does not count asks for the lock    *)
(* again.                                                                  *)
(*                                                                         *)
(* The model has time in ticks, and one clock for all.                     *)
(*                                                                         *)
(* Each constant Fix... is a rule. FALSE removes the rule.                 *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  N,          \* processes 1..N
  Lease,      \* in ticks
  MaxT,
  BFail, BRenew,  \* budgets: failovers, renewals
  FixPause,   \* no grant of a new primary counts before the end of a pause
  FixLength,  \* the pause is as long as a lease, not one tick shorter
  FixStore,   \* the primary stores the pause, for all processes
  FixReign    \* a server that becomes the primary again has another identity

VARIABLES
  now,
  log, have,  \* what the lock was, [h, r, x, id, p]: holder, its request, end of the lease, stored primary, end of the pause
  reign,      \* how many primaries there were before
  st,         \* client: idle, told (granted), held
  req,        \* client: the number of its request
  till,       \* client: the local end of the lease
  b           \* budgets left

vars == <<now, log, have, reign, st, req, till, b>>

Procs == 1..N
None == 0
Pause == IF FixLength THEN Lease ELSE Lease - 1
\* two servers take turns; each has a run id
Identity == IF FixReign THEN reign ELSE reign % 2
Top == log[Len(log)]
Holder == IF Top.x > now THEN Top.h ELSE None
Mine(p) == Holder = p /\ Top.r = req[p]
Believes(p) == st[p] = "held" /\ till[p] > now
Spend(f) == b[f] > 0 /\ b' = [b EXCEPT ![f] = @ - 1]

Init ==
  /\ now = 0
  /\ log = <<[h |-> None, r |-> 0, x |-> 0, id |-> 0, p |-> 0]>> /\ have = 1
  /\ reign = 0
  /\ st = [p \in Procs |-> "idle"]
  /\ req = [p \in Procs |-> 0] /\ till = [p \in Procs |-> 0]
  /\ b = [fail |-> BFail, renew |-> BRenew]

\* the primary grants the lock; the lease counts from the command
Acquire(p) ==
  /\ st[p] = "idle" /\ Holder = None
  /\ req' = [req EXCEPT ![p] = @ + 1]
  /\ log' = Append(log, [Top EXCEPT !.h = p, !.r = req'[p], !.x = now + Lease])
  /\ till' = [till EXCEPT ![p] = now + Lease]
  /\ st' = [st EXCEPT ![p] = IF FixPause THEN "told" ELSE "held"]
  /\ UNCHANGED <<now, have, reign, b>>

\* the process asks the primary of this moment, which may be another one by now
Ask(p) ==
  /\ st[p] = "told"
  /\ IF Top.id # Identity
     THEN /\ log' = Append(log, [Top EXCEPT !.id = Identity, !.p = IF FixStore THEN now + Pause ELSE 0])
          /\ st' = [st EXCEPT ![p] = "idle"]
     ELSE /\ st' = [st EXCEPT ![p] = IF now >= Top.p THEN "held" ELSE "idle"]
          /\ UNCHANGED log
  /\ UNCHANGED <<now, have, reign, req, till, b>>

\* a request whose grant did not count asks again, and is told of the same grant
Again(p) ==
  /\ st[p] = "idle" /\ Mine(p)
  /\ st' = [st EXCEPT ![p] = "told"]
  /\ UNCHANGED <<now, log, have, reign, req, till, b>>

End(p) ==
  /\ st[p] # "idle"
  /\ st' = [st EXCEPT ![p] = "idle"]
  /\ log' = IF Mine(p) THEN Append(log, [Top EXCEPT !.h = None, !.r = 0, !.x = 0]) ELSE log
  /\ UNCHANGED <<now, have, reign, req, till, b>>

Renew(p) ==
  /\ Believes(p) /\ Mine(p) /\ Spend("renew")
  /\ log' = Append(log, [Top EXCEPT !.x = now + Lease])
  /\ till' = [till EXCEPT ![p] = now + Lease]
  /\ UNCHANGED <<now, have, reign, st, req>>

Replicate ==
  /\ have < Len(log) /\ have' = have + 1
  /\ UNCHANGED <<now, log, reign, st, req, till, b>>

\* the replica becomes the primary, and gets a replica that has all
Failover ==
  /\ Spend("fail")
  /\ log' = SubSeq(log, 1, have)
  /\ reign' = reign + 1
  /\ UNCHANGED <<now, have, st, req, till>>

Tick ==
  /\ now < MaxT /\ now' = now + 1
  /\ UNCHANGED <<log, have, reign, st, req, till, b>>

Next ==
  \/ \E p \in Procs : Acquire(p) \/ Ask(p) \/ Again(p) \/ End(p) \/ Renew(p)
  \/ Replicate \/ Failover \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
TypeOk ==
  /\ now \in 0..MaxT
  /\ have \in 1..Len(log)
  /\ \A k \in DOMAIN log : log[k].h \in Procs \cup {None} /\ log[k].id \in 0..BFail
  /\ \A p \in Procs : st[p] \in {"idle", "told", "held"}

OneBelieves == Cardinality({p \in Procs : Believes(p)}) <= 1

\* the log has no end of its own
Bounded == Len(log) <= 5 /\ \A p \in Procs : req[p] <= 2
=============================================================================
