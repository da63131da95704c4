----------------------------- MODULE GrantInbox -----------------------------
(***************************************************************************)
(* The messages of a Redis Cluster to one process, which subscribes at     *)
(* each master. README.md says where the code differs.                     *)
(*                                                                         *)
(* A lock is granted to requests of the process, one after the other. The  *)
(* script of a hand-over runs at the master that has the slot. It grants   *)
(* the lock only if that master sees a subscriber, and publishes a         *)
(* message. That master delivers it to its own subscriber. The cluster     *)
(* carries it to each other master, later, and that master delivers a      *)
(* copy. The process drops a message that it has received before.          *)
(*                                                                         *)
(* Subscriptions break. Then messages on their way through them are lost,  *)
(* and the process asks for its waiting requests when it has subscribed    *)
(* again. The slot moves. Leases, order and tokens are those of Grant.     *)
(*                                                                         *)
(* Each constant Fix... is a rule. FALSE removes the rule.                 *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Masters,
  Grants,         \* how many requests there are, one after the other
  BBreak, BMove, BLate,  \* budgets: subscriptions that break, moves of the slot, copies that come after they were forgotten
  FixEach,        \* the process subscribes at each master, not at one
  FixAsk,         \* the process asks again after each new subscription
  FixBytes        \* a message is a copy only if it is equal, not if it is of the same lock

VARIABLES
  owner,      \* the master that has the slot
  sub,        \* the masters that see a subscriber
  news,       \* the masters at which the process has subscribed again, and has not asked since
  bus,        \* copies on their way between masters, [m, g]: to master m, of grant g
  wire,       \* messages on their way to the process, [m, g]
  recent,     \* the grants whose messages the process remembers
  waiting,    \* the request that waits
  holder,     \* the request that has the lock, or 0
  knows,      \* the request that knows that it has the lock, or 0
  skipped,    \* whether a script has passed a request whose process will not subscribe where the script runs
  b           \* budgets left

vars == <<owner, sub, news, bus, wire, recent, waiting, holder, knows, skipped, b>>

None == 0
First == CHOOSE m \in Masters : TRUE
Spend(f) == b[f] > 0 /\ b' = [b EXCEPT ![f] = @ - 1]
Subscribes == IF FixEach THEN Masters ELSE {First}

Init ==
  /\ owner \in Masters
  /\ sub = Subscribes /\ news = {}
  /\ bus = {} /\ wire = {} /\ recent = {}
  /\ waiting = 1 /\ holder = None /\ knows = None
  /\ skipped = FALSE
  /\ b = [break |-> BBreak, move |-> BMove, late |-> BLate]

\* the script of a hand-over, at the master that has the slot
HandOver ==
  /\ waiting \in 1..Grants /\ holder = None
  /\ IF owner \in sub
     THEN /\ holder' = waiting
          /\ wire' = wire \cup {[m |-> owner, g |-> waiting]}
          /\ bus' = bus \cup {[m |-> m, g |-> waiting] : m \in Masters \ {owner}}
          /\ UNCHANGED skipped
     ELSE /\ skipped' = (skipped \/ owner \notin Subscribes)
          /\ UNCHANGED <<holder, wire, bus>>
  /\ UNCHANGED <<owner, sub, news, recent, waiting, knows, b>>

\* the cluster has carried a message to another master
Carry ==
  \E c \in bus :
    /\ bus' = bus \ {c}
    /\ wire' = IF c.m \in sub THEN wire \cup {c} ELSE wire
    /\ UNCHANGED <<owner, sub, news, recent, waiting, holder, knows, skipped, b>>

\* the process receives a message; a grant of a request that is over is answered by an end, which changes nothing
Receive ==
  \E c \in wire :
    LET copy == IF FixBytes THEN c.g \in recent ELSE recent # {} IN
    /\ wire' = wire \ {c}
    /\ recent' = recent \cup {c.g}
    /\ knows' = IF ~copy /\ c.g = waiting /\ holder = waiting THEN waiting ELSE knows
    /\ UNCHANGED <<owner, sub, news, bus, waiting, holder, skipped, b>>

\* the process forgets a message while copies of it are on their way
Forget ==
  /\ Spend("late")
  /\ \E g \in recent : recent' = recent \ {g}
  /\ UNCHANGED <<owner, sub, news, bus, wire, waiting, holder, knows, skipped>>

\* the request that has the lock releases it, and the next one waits
Release ==
  /\ knows # None
  /\ waiting' = waiting + 1 /\ holder' = None /\ knows' = None
  /\ UNCHANGED <<owner, sub, news, bus, wire, recent, skipped, b>>

Break ==
  \E m \in sub :
    /\ Spend("break")
    /\ sub' = sub \ {m}
    /\ wire' = {c \in wire : c.m # m}
    /\ UNCHANGED <<owner, news, bus, recent, waiting, holder, knows, skipped>>

Subscribe ==
  \E m \in Subscribes \ sub :
    /\ sub' = sub \cup {m}
    /\ news' = IF FixAsk THEN news \cup {m} ELSE news
    /\ UNCHANGED <<owner, bus, wire, recent, waiting, holder, knows, skipped, b>>

\* the process asks for its waiting request after it has subscribed again
Ask ==
  \E m \in news :
    /\ news' = news \ {m}
    /\ knows' = IF holder = waiting /\ holder # None THEN waiting ELSE knows
    /\ UNCHANGED <<owner, sub, bus, wire, recent, waiting, holder, skipped, b>>

Move ==
  /\ Spend("move")
  /\ \E m \in Masters \ {owner} : owner' = m
  /\ UNCHANGED <<sub, news, bus, wire, recent, waiting, holder, knows, skipped>>

Next == HandOver \/ Carry \/ Receive \/ Forget \/ Release \/ Break \/ Subscribe \/ Ask \/ Move

Spec == Init /\ [][Next]_vars

FairSpec ==
  /\ Spec
  /\ WF_vars(HandOver) /\ WF_vars(Carry) /\ WF_vars(Receive) /\ WF_vars(Release) /\ WF_vars(Subscribe) /\ WF_vars(Ask)

-----------------------------------------------------------------------------
TypeOk ==
  /\ owner \in Masters /\ sub \subseteq Masters /\ news \subseteq Masters
  /\ waiting \in 1..(Grants + 1) /\ holder \in 0..Grants /\ knows \in 0..Grants

\* a request that knows of its grant has the lock
AnswerIsTrue == knows # None => holder = knows

\* a holder that does not know yet has a message, or will ask: no recheck is needed
Told1 ==
  holder # None /\ knows = None =>
    \/ \E c \in wire \cup {d \in bus : d.m \in sub} : c.g = holder /\ c.g \notin recent
    \/ news # {} \/ Subscribes # sub

\* a process is passed only while its subscription at that master is broken
NeverPassed == ~skipped

NoLostWakeUp == <>(waiting = Grants + 1)
=============================================================================
