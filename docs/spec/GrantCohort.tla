---------------------------- MODULE GrantCohort ----------------------------
(***************************************************************************)
(* The cohort: a process that holds the lock passes it to its next local   *)
(* waiter without a command. One lock.                                     *)
(*                                                                         *)
(* Redis never sees a local waiter. It sees a BLOCK of the process: an id  *)
(* for one block only, as the holder or in the queue. (The code calls a    *)
(* block the ticket of its cohort.) Local waiters have a local queue. The  *)
(* model has one command, turn(E, a): end the blocks E, then acquire for   *)
(* block a; 0 means for none. turn({}, a) is an acquire, turn(E, 0) is an  *)
(* end, and turn({A}, B) is an exchange. The recheck is an acquire here;   *)
(* GrantCohort2 has the recheck of its own.                                *)
(*                                                                         *)
(* As in Grant, a script is one step, commands are unordered and may run   *)
(* late, and clocks are predicates that become true. `ended` has the grants*)
(* whose cautious local end has passed. Redis expires a grant only then,   *)
(* but only if the client counts from a send time before the grant. A      *)
(* belief that counts from later is `unsound`, and `ended` does not bound  *)
(* it. A paused process takes no step. A renewal is an absent LocalEnd. The*)
(* time bound of a block is that Unlock may exchange although it may pass. *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  NP,             \* processes 1..NP
  N,              \* local requests 1..N; r belongs to process ((r-1) % NP) + 1
  NB,             \* blocks 1..NB (ids); likewise
  Limit,          \* passes per block
  MaxTok,         \* bound on tokens
  MayGiveUp,      \* requests that may time out or be interrupted
  BTimeout, BDrop, BSub, BEarly, BCrash, BForce,     \* fault budgets
  FreshId,        \* FALSE: the block keeps its id across exchange
  FixReserve,     \* tokens of the whole block are reserved at the grant
  FixSharedEnd,   \* FALSE: a local pass starts a lease of its own
  FixMark,        \* the end of a block with an unanswered acquire leaves a mark
  FixOwe,         \* the end of a block is owed until Redis answers it
  FixLostNext,    \* after a loss the process asks again for its local waiters
  FixStale        \* a grant whose token is not above the mark is dropped

None == 0
Procs == 1..NP
Reqs == 1..N
Blks == 1..NB
P(x) == ((x - 1) % NP) + 1

VARIABLES
  holder, htok, fence, queue, tomb,    \* Redis
  sub, inbox, net, rep,                \* messages [k,b,t]; commands [p,e,a,m,live]; replies
  st, lq,                              \* local requests; local queue of each process
  cur, bst, btok, npass,               \* block of each process: id, none/ask/held, token, passes
  next, owe, lh,                       \* next block id; blocks whose end is not answered; local holder
  unans,                               \* blocks with an acquire that timed out
  lb,                                  \* the mark: the holder's token in the last busy answer
  ended, unsound, crashed,
  top, byp, bad, b                     \* history: highest token used; bypasses of each block; budgets

redis == <<holder, htok, fence, queue, tomb>>
local == <<st, lq, cur, bst, btok, npass, next, owe, lh, unans, lb, unsound>>
hist  == <<top, byp, bad>>
vars  == <<redis, sub, inbox, net, rep, local, ended, crashed, hist, b>>

Range(s) == {s[k] : k \in DOMAIN s}
Without(s, X) == SelectSeq(s, LAMBDA y : y \notin X)
Max(x, y) == IF x > y THEN x ELSE y
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Spend(f) == b[f] > 0 /\ b' = [b EXCEPT ![f] = @ - 1]
Up(p) == p \notin crashed

Init ==
  /\ holder = None /\ htok = 0 /\ fence = 0 /\ queue = <<>> /\ tomb = {}
  /\ sub = Procs /\ inbox = {} /\ net = {} /\ rep = {}
  /\ st = [r \in Reqs |-> "idle"] /\ lq = [p \in Procs |-> <<>>]
  /\ cur = [p \in Procs |-> None] /\ bst = [p \in Procs |-> "none"]
  /\ btok = [p \in Procs |-> 0] /\ npass = [p \in Procs |-> 0]
  /\ next = [p \in Procs |-> p] /\ owe = [p \in Procs |-> {}] /\ lh = [p \in Procs |-> None]
  /\ unans = {} /\ lb = [p \in Procs |-> 0] /\ unsound = {}
  /\ ended = {} /\ crashed = {} /\ top = 0 /\ byp = [x \in Blks |-> 0] /\ bad = {}
  /\ b = [timeout |-> BTimeout, drop |-> BDrop, sub |-> BSub, early |-> BEarly,
          crash |-> BCrash, force |-> BForce]

-----------------------------------------------------------------------------
(* Redis.                                                                  *)

\* the first of q that can be notified; me learns from its reply
First(q, me) == LET ks == {k \in DOMAIN q : q[k] = me \/ P(q[k]) \in sub}
                IN IF ks = {} THEN None ELSE q[Min(ks)]

\* hands the lock to the first of q
Grant(q, me) ==
  LET w == First(q, me) IN
  /\ holder' = w /\ queue' = Without(q, {w})
  /\ IF w = None THEN UNCHANGED <<htok, fence, inbox>>
     ELSE /\ fence < MaxTok
          /\ htok' = fence + 1
          /\ fence' = fence + 1 + (IF FixReserve THEN Limit ELSE 0)
          /\ inbox' = IF w = me THEN inbox ELSE inbox \cup {[k |-> "grant", b |-> w, t |-> fence + 1]}

Answer(c, res, t) ==
  rep' = IF c.live /\ Up(c.p) THEN rep \cup {[p |-> c.p, e |-> c.e, a |-> c.a, res |-> res, t |-> t]} ELSE rep

Exec(c) ==
  LET q1 == Without(queue, c.e)
      h1 == IF holder \in c.e THEN None ELSE holder
      t1 == tomb \cup c.m
      q2 == IF c.a \in Range(q1) THEN q1 ELSE Append(q1, c.a)
      none == c.a = None \/ c.a \in t1
  IN
  /\ c \in net /\ net' = net \ {c}
  /\ tomb' = t1
  /\ IF none THEN
       /\ IF h1 = None /\ holder # None THEN Grant(q1, None)
          ELSE holder' = holder /\ queue' = q1 /\ UNCHANGED <<htok, fence, inbox>>
       /\ Answer(c, "over", 0)
     ELSE IF h1 = c.a THEN
       /\ queue' = q1 /\ UNCHANGED <<holder, htok, fence, inbox>>
       /\ Answer(c, "granted", htok)
     ELSE IF h1 # None THEN
       /\ queue' = q2 /\ UNCHANGED <<holder, htok, fence, inbox>>
       /\ Answer(c, "busy", htok)
     ELSE
       /\ Grant(q2, c.a)
       /\ Answer(c, IF First(q2, c.a) = c.a THEN "granted" ELSE "busy", fence + 1)
  /\ UNCHANGED <<sub, local, ended, crashed, hist, b>>

Abandoned == ~Up(P(holder)) \/ cur[P(holder)] # holder
LocalEnd ==      \* pause, long body, renewal that fails
  /\ holder # None /\ htok \notin ended
  /\ ended' = ended \cup {htok}
  /\ IF Abandoned THEN b' = b ELSE Spend("early")
  /\ UNCHANGED <<redis, sub, inbox, net, rep, local, crashed, hist>>

Expire ==
  /\ holder # None /\ htok \in ended /\ holder' = None
  /\ UNCHANGED <<htok, fence, queue, tomb, sub, inbox, net, rep, local, ended, crashed, hist, b>>

Purge(p) ==      \* a dead process is silent
  /\ p \in crashed /\ \E x \in Range(queue) : P(x) = p
  /\ queue' = Without(queue, {x \in Blks : P(x) = p})
  /\ UNCHANGED <<holder, htok, fence, tomb, sub, inbox, net, rep, local, ended, crashed, hist, b>>

Force ==
  /\ holder # None /\ Spend("force")
  /\ LET w == First(queue, None) IN
     /\ holder' = w /\ queue' = Without(queue, {w})
     /\ htok' = IF w = None THEN htok ELSE fence + 1
     /\ fence' = IF w = None THEN fence ELSE fence + 1 + (IF FixReserve THEN Limit ELSE 0)
     /\ inbox' = inbox \cup {[k |-> "revoked", b |-> holder, t |-> htok]} \cup
                 (IF w = None THEN {} ELSE {[k |-> "grant", b |-> w, t |-> fence + 1]})
  /\ UNCHANGED <<tomb, sub, net, rep, local, ended, crashed, hist>>

-----------------------------------------------------------------------------
(* The process.                                                            *)

InFlight(x) == \/ \E c \in net : c.a = x
               \/ \E q \in rep : q.a = x
Waits(p) == (\E c \in net : c.p = p /\ c.live) \/ (\E q \in rep : q.p = p)
Marks(E) == IF FixMark THEN {x \in E : x \in unans \/ InFlight(x)} ELSE {}
Turn(p, E, x) == [p |-> p, e |-> E, a |-> x, m |-> Marks(E \ {x}), live |-> TRUE]

\* local request r starts to hold with token t, in block x
Starts(r, t, x) ==
  /\ top' = Max(top, t)
  /\ bad' = IF t <= top THEN bad \cup {"token"} ELSE bad
  /\ byp' = [y \in Blks |-> IF y \in Range(queue) /\ P(y) # P(x) /\ Up(P(y)) /\ cur[P(y)] = y THEN byp[y] + 1 ELSE byp[y]]

\* the block is over: the process asks for a new one if a local request waits
Over(p, wanted) ==
  LET x == cur[p]
      y == IF ~wanted THEN None ELSE IF FreshId THEN next[p] ELSE x
      E == owe[p] \cup {x}
  IN /\ y \in Blks \cup {None}
     /\ owe' = [owe EXCEPT ![p] = E]
     /\ cur' = [cur EXCEPT ![p] = y]
     /\ bst' = [bst EXCEPT ![p] = IF wanted THEN "ask" ELSE "none"]
     /\ next' = IF wanted /\ FreshId THEN [next EXCEPT ![p] = @ + NP] ELSE next
     /\ lb' = [lb EXCEPT ![p] = 0]
     /\ net' = net \cup {Turn(p, E, y)}

Arrive(r) ==
  LET p == P(r) IN
  /\ Up(p) /\ st[r] = "idle"
  /\ \A x \in Reqs : P(x) = p /\ x < r => st[x] # "idle"
  /\ st' = [st EXCEPT ![r] = "wait"]
  /\ lq' = [lq EXCEPT ![p] = Append(@, r)]
  /\ IF bst[p] # "none" THEN UNCHANGED <<cur, bst, next, net, lb>>     \* no command
     ELSE /\ next[p] \in Blks
          /\ cur' = [cur EXCEPT ![p] = next[p]] /\ bst' = [bst EXCEPT ![p] = "ask"]
          /\ next' = [next EXCEPT ![p] = @ + NP]
          /\ lb' = [lb EXCEPT ![p] = 0]
          /\ net' = net \cup {Turn(p, owe[p], next[p])}
  /\ UNCHANGED <<redis, sub, inbox, rep, btok, npass, owe, lh, unans, unsound, ended, crashed, hist, b>>

Resend(p) ==     \* the guard, and every end that is owed
  /\ Up(p) /\ ~Waits(p) /\ (bst[p] = "ask" \/ owe[p] # {})
  /\ net' = net \cup {Turn(p, owe[p], IF bst[p] = "ask" THEN cur[p] ELSE None)}
  /\ UNCHANGED <<redis, sub, inbox, rep, local, ended, crashed, hist, b>>

GiveUp(r) ==     \* a local waiter; one compare-and-set decides between this and a pass
  LET p == P(r) IN
  /\ Up(p) /\ st[r] = "wait" /\ r \in MayGiveUp
  /\ st' = [st EXCEPT ![r] = "done"]
  /\ lq' = [lq EXCEPT ![p] = Without(@, {r})]
  /\ IF bst[p] # "ask" \/ lq'[p] # <<>> THEN UNCHANGED <<owe, cur, bst, net>>   \* no command
     ELSE /\ owe' = [owe EXCEPT ![p] = IF FixOwe THEN @ \cup {cur[p]} ELSE {cur[p]}]
          /\ cur' = [cur EXCEPT ![p] = None] /\ bst' = [bst EXCEPT ![p] = "none"]
          /\ net' = net \cup {Turn(p, owe'[p], None)}
  /\ UNCHANGED <<redis, sub, inbox, rep, btok, npass, next, lh, unans, lb, unsound, ended, crashed, hist, b>>

Alive(p) == btok[p] \notin ended

Pass(p) ==       \* unlock: to the next local waiter, no command
  LET r == Head(lq[p]) IN
  /\ Up(p) /\ bst[p] = "held" /\ lq[p] # <<>> /\ npass[p] < Limit
  /\ Alive(p) \/ ~FixSharedEnd
  /\ st' = [st EXCEPT ![r] = "held", ![lh[p]] = "done"]
  /\ lh' = [lh EXCEPT ![p] = r] /\ lq' = [lq EXCEPT ![p] = Tail(@)]
  /\ npass' = [npass EXCEPT ![p] = @ + 1]
  /\ unsound' = IF FixSharedEnd THEN unsound ELSE unsound \cup {r}
  /\ Starts(r, btok[p] + npass[p] + 1, cur[p])
  /\ UNCHANGED <<redis, sub, inbox, net, rep, cur, bst, btok, next, owe, unans, lb, ended, crashed, b>>

Unlock(p) ==     \* at a bound of the block, or without a local waiter
  /\ Up(p) /\ bst[p] = "held" /\ Alive(p)
  /\ st' = [st EXCEPT ![lh[p]] = "done"] /\ lh' = [lh EXCEPT ![p] = None]
  /\ Over(p, lq[p] # <<>>)
  /\ UNCHANGED <<redis, sub, inbox, rep, lq, btok, npass, unans, unsound, ended, crashed, hist, b>>

Lose(p) ==       \* local end, "not yours", revoked
  /\ st' = [st EXCEPT ![lh[p]] = "done"] /\ lh' = [lh EXCEPT ![p] = None]
  /\ unsound' = unsound \ {lh[p]}
  /\ Over(p, lq[p] # <<>> /\ FixLostNext)
Lost(p) ==
  /\ Up(p) /\ bst[p] = "held" /\ ~Alive(p) /\ Lose(p)
  /\ UNCHANGED <<redis, sub, inbox, rep, lq, btok, npass, unans, ended, crashed, hist, b>>

\* Block cur[p] is granted, so the first local waiter holds.  A grant whose end has passed is none.
Take(p, t) ==
  LET r == Head(lq[p])
      stale == t <= lb[p]
  IN IF (t \in ended /\ ~stale) \/ (stale /\ FixStale)
     THEN UNCHANGED <<st, lq, lh, bst, btok, npass, unsound, hist>>
     ELSE /\ st' = [st EXCEPT ![r] = "held"] /\ lq' = [lq EXCEPT ![p] = Tail(@)]
          /\ lh' = [lh EXCEPT ![p] = r] /\ bst' = [bst EXCEPT ![p] = "held"]
          /\ btok' = [btok EXCEPT ![p] = t] /\ npass' = [npass EXCEPT ![p] = 0]
          /\ unsound' = IF stale THEN unsound \cup {r} ELSE unsound
          /\ Starts(r, t, cur[p])

Deliver(m) ==
  LET p == P(m.b) IN
  /\ m \in inbox /\ Up(p) /\ p \in sub /\ inbox' = inbox \ {m}
  /\ IF m.k = "revoked" THEN
       IF cur[p] = m.b /\ bst[p] = "held" /\ btok[p] = m.t
       THEN Lose(p) /\ UNCHANGED <<lq, btok, npass, unans, hist>>
       ELSE UNCHANGED <<local, net, hist>>
     ELSE IF cur[p] = m.b /\ bst[p] = "ask" THEN
       Take(p, m.t) /\ UNCHANGED <<cur, next, owe, unans, lb, net>>
     ELSE IF cur[p] = m.b THEN UNCHANGED <<local, net, hist>>          \* second copy
     ELSE /\ owe' = [owe EXCEPT ![p] = @ \cup {m.b}]                   \* it has ended
          /\ UNCHANGED <<st, lq, cur, bst, btok, npass, next, lh, unans, lb, unsound, net, hist>>
  /\ UNCHANGED <<redis, sub, rep, ended, crashed, b>>

Handle(q) ==
  LET p == q.p
      o == owe[p] \ q.e
  IN
  /\ q \in rep /\ Up(p) /\ rep' = rep \ {q}
  /\ IF q.a # None /\ q.a = cur[p] /\ bst[p] = "ask" /\ q.res = "granted" THEN
       /\ owe' = [owe EXCEPT ![p] = o]
       /\ Take(p, q.t) /\ UNCHANGED lb
     ELSE IF q.a # None /\ q.a = cur[p] /\ bst[p] = "ask" /\ q.res = "busy" THEN
       /\ owe' = [owe EXCEPT ![p] = o]
       /\ lb' = [lb EXCEPT ![p] = Max(@, q.t)]
       /\ UNCHANGED <<st, lq, lh, bst, btok, npass, unsound, hist>>
     ELSE
       /\ owe' = [owe EXCEPT ![p] = IF q.a # None /\ q.a # cur[p] /\ q.res # "over" THEN o \cup {q.a} ELSE o]
       /\ UNCHANGED <<lb, st, lq, lh, bst, btok, npass, unsound, hist>>
  /\ UNCHANGED <<redis, sub, inbox, net, cur, next, unans, ended, crashed, b>>

-----------------------------------------------------------------------------
(* The world.                                                              *)

Timeout(c) ==
  /\ c \in net /\ c.live /\ Up(c.p) /\ Spend("timeout")
  /\ net' = (net \ {c}) \cup {[c EXCEPT !.live = FALSE]}
  /\ unans' = unans \cup ({c.a} \ {None})
  /\ UNCHANGED <<redis, sub, inbox, rep, st, lq, cur, bst, btok, npass, next, owe, lh, lb, unsound, ended, crashed, hist>>
LoseReply(q) ==
  /\ q \in rep /\ Spend("timeout") /\ rep' = rep \ {q}
  /\ unans' = unans \cup ({q.a} \ {None})
  /\ UNCHANGED <<redis, sub, inbox, net, st, lq, cur, bst, btok, npass, next, owe, lh, lb, unsound, ended, crashed, hist>>
LoseCmd(c) ==
  /\ c \in net /\ ~c.live /\ net' = net \ {c}
  /\ UNCHANGED <<redis, sub, inbox, rep, local, ended, crashed, hist, b>>
Drop(m) ==
  /\ m \in inbox /\ inbox' = inbox \ {m}
  /\ IF P(m.b) \notin sub \/ ~Up(P(m.b)) THEN b' = b ELSE Spend("drop")
  /\ UNCHANGED <<redis, sub, net, rep, local, ended, crashed, hist>>
SubDown(p) ==
  /\ p \in sub /\ sub' = sub \ {p}
  /\ IF ~Up(p) THEN b' = b ELSE Spend("sub")
  /\ UNCHANGED <<redis, inbox, net, rep, local, ended, crashed, hist>>
SubUp(p) ==
  /\ p \notin sub /\ Up(p) /\ sub' = sub \cup {p}
  /\ UNCHANGED <<redis, inbox, net, rep, local, ended, crashed, hist, b>>
Crash(p) ==
  /\ Up(p) /\ Spend("crash") /\ crashed' = crashed \cup {p}
  /\ rep' = {q \in rep : q.p # p}
  /\ net' = {[c EXCEPT !.live = c.live /\ c.p # p] : c \in net}
  /\ UNCHANGED <<redis, sub, inbox, local, ended, hist>>

Next ==
  \/ \E c \in net : Exec(c) \/ Timeout(c) \/ LoseCmd(c)
  \/ \E q \in rep : Handle(q) \/ LoseReply(q)
  \/ \E m \in inbox : Deliver(m) \/ Drop(m)
  \/ \E r \in Reqs : Arrive(r) \/ GiveUp(r)
  \/ \E p \in Procs : Resend(p) \/ Pass(p) \/ Unlock(p) \/ Lost(p) \/ Purge(p) \/ SubDown(p) \/ SubUp(p) \/ Crash(p)
  \/ LocalEnd \/ Expire \/ Force

Fairness ==
  /\ \A p \in Procs : /\ WF_vars(Resend(p)) /\ WF_vars(Unlock(p)) /\ WF_vars(Lost(p)) /\ WF_vars(Purge(p))
                      /\ WF_vars(SubUp(p)) /\ WF_vars(~Up(p) /\ SubDown(p))
                      /\ WF_vars(\E q \in rep : q.p = p /\ Handle(q))
                      /\ WF_vars(\E m \in inbox : P(m.b) = p /\ (Deliver(m) \/ (~Up(p) /\ Drop(m))))
                      /\ WF_vars(\E c \in net : c.p = p /\ c.live /\ Exec(c))
                      /\ WF_vars(\E c \in net : c.p = p /\ ~c.live /\ (Exec(c) \/ LoseCmd(c)))
  /\ WF_vars(LocalEnd /\ UNCHANGED b) /\ WF_vars(Expire)
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness

-----------------------------------------------------------------------------
(* Properties.                                                             *)

Believes(r) == Up(P(r)) /\ st[r] = "held" /\ (btok[P(r)] \notin ended \/ r \in unsound)

TypeOk == /\ holder \in Blks \cup {None} /\ Range(queue) \subseteq Blks
          /\ Cardinality(Range(queue)) = Len(queue) /\ holder \notin Range(queue)
          /\ \A p \in Procs : /\ bst[p] = "ask" => lq[p] # <<>>
                              /\ bst[p] = "held" <=> lh[p] # None
OneBelieves == BForce = 0 => \A r, s \in Reqs : Believes(r) /\ Believes(s) => r = s
BeliefIsTrue == BForce = 0 => \A r \in Reqs : Believes(r) => holder = cur[P(r)] /\ htok = btok[P(r)]
TokensGrow == BForce = 0 => "token" \notin bad
\* While a block waits, each other process holds for at most one block.
Bypass == BSub = 0 => \A x \in Blks : byp[x] <= (NP - 1) * (Limit + 1)

Quiet == net = {} /\ rep = {} /\ inbox = {}
Ghost(x) == Up(P(x)) /\ cur[P(x)] # x /\ x \notin owe[P(x)]
NoGhostHolder == ~(holder # None /\ htok \notin ended /\ Quiet /\ Ghost(holder))
NoGhostWaiter == ~(Quiet /\ \E x \in Range(queue) : Ghost(x))
\* The bound on tokens cuts no behaviour short.  NB >= N + NP is enough, because each block that ends has used up a request.
BoundNotHit == fence < MaxTok

NoLostWakeUp == \A r \in Reqs : (st[r] = "wait" /\ Up(P(r))) ~> (st[r] # "wait" \/ ~Up(P(r)))
AllOver == \A r \in Reqs : ~Up(P(r)) \/ st[r] = "done"
EventuallyClean == AllOver ~> (holder = None /\ queue = <<>>)
=============================================================================
