--------------------------- MODULE GrantCondition ---------------------------
(* A condition of one lock: its holders give the lock away and wait, signals move them to the queue, and they get the
   lock back. Each request is of a process of its own. A holder that awaits has two ids: Pre(r), which holds the lock,
   and r, which waits. Signals need no lock here, so they come at any time.

   Grant and GrantModes show how a waiter learns of its grant. Here a message may be dropped, and a recheck reports the
   holder. Leases end only for requests whose process has died.                                                       *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS N,          \* requests
          MayGiveUp,  \* requests whose lock may not come back in time
          BSignal, BLate, BCrash, BDrop, BFlush,                          \* how often each happens
          FixAtomic,  \* the lock is given away and the place in the list taken in one step
          FixOver,    \* a request that has ended is not let in by a late command
          FixPassGone,\* a signal is passed on if its receiver died in the queue
          FixPassEnd, \* the same if its receiver gives up
          FixPassHeld,\* the same if its receiver was granted the lock, and no caller took it
          FixLost,    \* a request that has lost its place asks for the lock
          FixAnswer,  \* the store decides what came first, a signal or the end of the time
          FixSignalled\* a repeated answer still says that the request was signalled

Ids == 1..N
Pre(r) == r + N
Owner(x) == IF x > N THEN x - N ELSE x

VARIABLES lk,    \* the id that holds the lock; 0: free
          q,     \* the queue
          li,    \* the list of the condition
          sg,    \* requests in the queue, or holding the lock, that were signalled
          tomb,  \* ids that have ended
          gone,  \* requests whose process the store has forgotten
          inbox, net, rep,
          st,    \* of the caller
          left,  \* how the store says that a request left the condition: none, sig, asks
          late,  \* callers whose time was over while they waited
          crashed,
          total, void, spent, bad,   \* signals that moved one; those that had no receiver left; callers woken; faults
          hurt,  \* requests whose place was lost with the data
          b
store   == <<lk, q, li, sg, tomb, gone>>
client  == <<st, left, late>>
history == <<total, void, spent, bad, hurt>>
vars    == <<store, inbox, net, rep, client, crashed, history, b>>

Up(r) == r \notin crashed
Range(s) == {s[i] : i \in DOMAIN s}
Without(s, r) == SelectSeq(s, LAMBDA x : x # r)
Spend(k) == b[k] > 0 /\ b' = [b EXCEPT ![k] = @ - 1]

Init ==
  /\ lk = 0 /\ q = <<>> /\ li = <<>> /\ sg = {} /\ tomb = {} /\ gone = {}
  /\ inbox = {} /\ net = {} /\ rep = {}
  /\ st = [r \in Ids |-> "idle"] /\ left = [r \in Ids |-> "none"] /\ late = {} /\ crashed = {}
  /\ total = 0 /\ void = 0 /\ spent = {} /\ bad = {} /\ hurt = {}
  /\ b = [signal |-> BSignal, late |-> BLate, crash |-> BCrash, drop |-> BDrop, flush |-> BFlush]

-----------------------------------------------------------------------------
(* Redis. A state of the lock: its holder, queue, list, signalled requests, and the signals without a receiver.        *)

State == [lk |-> lk, q |-> q, li |-> li, sg |-> sg, void |-> 0]

\* passes a signal on to the first that waits, and removes the dead before it
PassOn(s) ==
  LET live == SelectSeq(s.li, LAMBDA x : x \notin gone) IN
  IF live = <<>> THEN [s EXCEPT !.li = <<>>, !.void = @ + 1]
  ELSE [s EXCEPT !.li = Tail(live), !.q = Append(@, Head(live)), !.sg = @ \cup {Head(live)}]

\* a request leaves without a grant
Drop(s, r, passes) ==
  LET t == [s EXCEPT !.q = Without(@, r), !.li = Without(@, r), !.sg = @ \ {r}] IN
  IF r \in s.sg /\ passes THEN PassOn(t) ELSE t

\* hands a free lock to the first living request of the queue
RECURSIVE HandOver(_)
HandOver(s) ==
  IF s.lk # 0 \/ s.q = <<>> THEN s
  ELSE IF Head(s.q) \in gone THEN HandOver(Drop(s, Head(s.q), FixPassGone))
  ELSE [s EXCEPT !.lk = Head(s.q), !.q = Tail(s.q)]

\* ends a script. told: the request that reads the reply
Finish(s0, told) ==
  LET s == HandOver(s0) IN
  /\ lk' = s.lk /\ q' = s.q /\ li' = s.li /\ sg' = s.sg /\ void' = void + s.void
  /\ inbox' = IF s.lk # s0.lk /\ s.lk \in Ids /\ s.lk # told /\ Up(s.lk) THEN inbox \cup {s.lk} ELSE inbox

Reply(r, op, what, granted) ==
  rep' = IF Up(r) THEN rep \cup {[r |-> r, op |-> op, what |-> what, granted |-> granted]} ELSE rep

ExecAwait(c) ==
  LET r == c.r
      place == [State EXCEPT !.li = Append(@, r)]
  IN IF lk = Pre(r) /\ (r \notin tomb \/ ~FixOver) THEN
       /\ Finish([place EXCEPT !.lk = 0], 0)
       /\ Reply(r, "await", "awaits", FALSE)
     ELSE
       /\ Finish(State, 0)
       /\ Reply(r, "await", IF lk = r \/ r \in Range(q) \cup Range(li) THEN "awaits" ELSE "nothing", FALSE)

\* without FixAtomic, a release comes first, and the place in the list is taken by a command of its own
ExecPlace(c) ==
  /\ Finish([State EXCEPT !.li = Append(@, c.r)], 0)
  /\ Reply(c.r, "await", "awaits", FALSE)

ExecAcquire(c) ==
  LET r == c.r
      queued == r \in Range(q)
      stays == c.op = "stay" /\ (r \in Range(li) \/ (~FixLost /\ ~queued))
      join == [State EXCEPT !.li = Without(@, r), !.q = IF queued THEN @ ELSE Append(@, r)]
      s == HandOver(join)
      part == IF r \in sg /\ FixSignalled THEN "sig" ELSE "asks"
  IN IF r \in tomb THEN /\ Finish(State, 0) /\ UNCHANGED rep
     ELSE IF lk = r THEN /\ Finish(State, 0) /\ Reply(r, "acquire", part, TRUE)
     ELSE IF stays THEN /\ Finish(State, 0) /\ Reply(r, "acquire", "awaits", FALSE)
     ELSE /\ Finish(join, r) /\ Reply(r, "acquire", IF r \in s.sg THEN "sig" ELSE part, s.lk = r)

\* c.op is taken if the caller had the lock back
ExecEnd(c) ==
  LET r == c.r
      passes == c.op # "taken" /\ (IF lk = r THEN FixPassHeld ELSE FixPassEnd)
      s == Drop([State EXCEPT !.lk = IF lk = r THEN 0 ELSE @], r, passes)
  IN /\ tomb' = tomb \cup {r} /\ Finish(s, 0) /\ UNCHANGED rep

ExecRelease(c) ==   \* of Pre(r)
  /\ tomb' = tomb \cup {Pre(c.r)}
  /\ Finish([State EXCEPT !.lk = IF lk = Pre(c.r) THEN 0 ELSE @], 0) /\ UNCHANGED rep

Exec(c) ==
  /\ c \in net /\ net' = net \ {c}
  /\ CASE c.op = "await" -> ExecAwait(c) /\ UNCHANGED tomb
       [] c.op = "place" -> ExecPlace(c) /\ UNCHANGED tomb
       [] c.op \in {"stay", "ask"} -> ExecAcquire(c) /\ UNCHANGED tomb
       [] c.op \in {"taken", "end"} -> ExecEnd(c)
       [] c.op = "release" -> ExecRelease(c)
  /\ UNCHANGED <<gone, client, crashed, total, spent, bad, hurt, b>>

\* callers that have given the lock away, and are neither in the list nor further
Nowhere == {r \in Ids : Up(r) /\ st[r] = "await" /\ lk \notin {r, Pre(r)} /\ r \notin Range(li) \cup Range(q)}
Signal ==
  LET live == SelectSeq(li, LAMBDA x : x \notin gone) IN
  /\ Spend("signal")
  /\ IF live # <<>> THEN Finish(PassOn(State), 0) /\ total' = total + 1 /\ UNCHANGED bad
     ELSE /\ bad' = IF BFlush = 0 THEN bad \cup {0 : r \in Nowhere} ELSE bad
          /\ UNCHANGED <<lk, q, li, sg, inbox, total, void>>
  /\ UNCHANGED <<tomb, gone, net, rep, client, crashed, spent, hurt>>

Silent(r) ==     \* the store forgets a process that has died
  /\ ~Up(r) /\ r \notin gone
  /\ gone' = gone \cup {r}
  /\ UNCHANGED <<lk, q, li, sg, tomb, inbox, net, rep, client, crashed, history, b>>

LeaseEnds ==     \* a signal of a holder that died goes with it
  /\ lk # 0 /\ ~Up(Owner(lk))
  /\ spent' = IF lk \in sg THEN spent \cup {lk} ELSE spent
  /\ Finish([State EXCEPT !.lk = 0, !.sg = sg \ {lk}], 0)
  /\ UNCHANGED <<tomb, gone, net, rep, client, crashed, total, bad, hurt, b>>

Flush ==         \* the store loses its data, and the signals in it
  /\ Spend("flush")
  /\ lk' = 0 /\ q' = <<>> /\ li' = <<>> /\ sg' = {} /\ tomb' = {}
  /\ void' = void + Cardinality(sg \ spent) /\ hurt' = Range(li) \cup Range(q)
  /\ UNCHANGED <<gone, inbox, net, rep, client, crashed, total, spent, bad>>

-----------------------------------------------------------------------------
(* The callers.                                                            *)

StoreOnly == UNCHANGED <<store, total, void, hurt, crashed>>
Cmd(op, r) == [op |-> op, r |-> r]

Enter(r) ==      \* in one step, because Grant shows the rest
  /\ Up(r) /\ st[r] = "idle" /\ lk = 0 /\ q = <<>>
  /\ lk' = Pre(r) /\ st' = [st EXCEPT ![r] = "pre"]
  /\ UNCHANGED <<q, li, sg, tomb, gone, inbox, net, rep, left, late, crashed, history, b>>

Await(r) ==
  /\ Up(r) /\ st[r] = "pre"
  /\ st' = [st EXCEPT ![r] = "await"]
  /\ net' = net \cup (IF FixAtomic THEN {Cmd("await", r)} ELSE {Cmd("release", r), Cmd("place", r)})
  /\ StoreOnly /\ UNCHANGED <<inbox, rep, left, late, spent, bad, b>>

Ends(r) ==       \* the commands that repeat until they are answered
  CASE st[r] = "await" -> IF FixAtomic THEN {"await"} ELSE {}
    [] st[r] = "cond" -> {"stay"} [] st[r] \in {"late", "back"} -> {"ask"} [] OTHER -> {}
Again(r) ==
  /\ Up(r)
  /\ \E op \in Ends(r) : Cmd(op, r) \notin net /\ net' = net \cup {Cmd(op, r)}
  /\ StoreOnly /\ UNCHANGED <<inbox, rep, client, spent, bad, b>>

Late(r) ==       \* the time is over, or an interrupt came
  /\ Up(r) /\ st[r] = "cond" /\ Spend("late")
  /\ st' = [st EXCEPT ![r] = "late"] /\ late' = late \cup {r} /\ net' = net \cup {Cmd("ask", r)}
  /\ StoreOnly /\ UNCHANGED <<inbox, rep, left, spent, bad>>

Over(r, ops) ==
  /\ st' = [st EXCEPT ![r] = "over"] /\ net' = net \cup {Cmd(op, r) : op \in ops}
  /\ inbox' = inbox \ {r} /\ rep' = {p \in rep : p.r # r}

GiveUp(r) ==     \* the lock does not come back in time, or the command to await is not answered
  /\ Up(r) /\ r \in MayGiveUp /\ st[r] \in {"await", "back"}
  /\ Over(r, IF st[r] = "await" THEN {"end", "release"} ELSE {"end"})
  /\ StoreOnly /\ UNCHANGED <<left, late, spent, bad, b>>

Release(r) ==
  /\ Up(r) /\ st[r] = "held"
  /\ Over(r, {"taken"})
  /\ StoreOnly /\ UNCHANGED <<left, late, spent, bad, b>>

\* The lock is back. The caller says that its time was over first, or else that it was signalled.
Back(r, how) ==
  LET timedOut == r \in late /\ (how = "asks" \/ ~FixAnswer) IN
  /\ st' = [st EXCEPT ![r] = "held"]
  /\ spent' = IF r \in sg /\ ~timedOut THEN spent \cup {r} ELSE spent
  /\ bad' = IF r \in sg /\ timedOut THEN bad \cup {r} ELSE bad
  /\ inbox' = inbox \ {r} /\ rep' = {p \in rep : p.r # r}

Waits == {"cond", "late", "back"}
Deliver(r) ==
  /\ r \in inbox /\ Up(r)
  /\ IF st[r] \in Waits \cup {"await"} /\ lk = r THEN Back(r, left[r]) ELSE inbox' = inbox \ {r} /\ UNCHANGED <<st, spent, bad, rep>>
  /\ StoreOnly /\ UNCHANGED <<net, left, late, b>>

Handle(p) ==
  LET r == p.r
      how == IF left[r] = "none" /\ p.what \in {"sig", "asks"} THEN p.what ELSE left[r]
  IN
  /\ p \in rep /\ Up(r)
  /\ CASE p.op = "await" /\ st[r] = "await" ->
            /\ st' = [st EXCEPT ![r] = IF p.what = "awaits" THEN "cond" ELSE "over"]
            /\ rep' = rep \ {p} /\ UNCHANGED <<left, inbox, spent, bad>>
       [] p.op = "acquire" /\ st[r] \in Waits /\ p.granted /\ lk = r ->
            /\ left' = [left EXCEPT ![r] = how] /\ Back(r, how)
       [] p.op = "acquire" /\ st[r] \in Waits /\ ~p.granted /\ p.what # "awaits" ->
            /\ left' = [left EXCEPT ![r] = how] /\ st' = [st EXCEPT ![r] = "back"]
            /\ rep' = rep \ {p} /\ UNCHANGED <<inbox, spent, bad>>
       [] OTHER -> rep' = rep \ {p} /\ UNCHANGED <<st, left, inbox, spent, bad>>
  /\ StoreOnly /\ UNCHANGED <<net, late, b>>

LoseMessage(r) ==
  /\ r \in inbox /\ Spend("drop")
  /\ inbox' = inbox \ {r}
  /\ StoreOnly /\ UNCHANGED <<net, rep, client, spent, bad>>

Crash(r) ==
  /\ Up(r) /\ st[r] \notin {"idle", "over"} /\ Spend("crash")
  /\ crashed' = crashed \cup {r}
  /\ inbox' = inbox \ {r} /\ rep' = {p \in rep : p.r # r}
  /\ UNCHANGED <<store, net, client, history>>

Next ==
  \/ Signal \/ LeaseEnds \/ Flush
  \/ \E c \in net : Exec(c)
  \/ \E p \in rep : Handle(p)
  \/ \E r \in Ids : \/ Enter(r) \/ Await(r) \/ Again(r) \/ Late(r) \/ GiveUp(r) \/ Release(r) \/ Deliver(r)
                    \/ LoseMessage(r) \/ Crash(r) \/ Silent(r)

Spec == Init /\ [][Next]_vars

Fair ==
  /\ WF_vars(LeaseEnds)
  /\ \A r \in Ids :
       /\ WF_vars(Again(r)) /\ WF_vars(Release(r)) /\ WF_vars(Await(r)) /\ WF_vars(Silent(r))
       /\ WF_vars(\E c \in net : c.r = r /\ Exec(c))
       /\ WF_vars(\E p \in rep : p.r = r /\ Handle(p))
FairSpec == Spec /\ Fair

-----------------------------------------------------------------------------
(* Properties.                                                             *)

TypeOk == /\ lk \in 0..(2 * N) /\ Cardinality(Range(q)) = Len(q) /\ Cardinality(Range(li)) = Len(li)
          /\ Range(q) \cap Range(li) = {} /\ sg \subseteq Range(q) \cup {lk}

\* C1. A signal that moved a request is with a request that waits for the lock, has woken a caller, or has none left to wake.
Conserved == total = Cardinality(sg \cup spent) + void

\* C4. A caller whose time was over first has no signal.
OneSays == bad \subseteq {0}

\* C2. A signal that is given after the release finds the request.
Found == 0 \notin bad

\* C2. A free lock has no living waiter, after each script.
NeverIdle == lk = 0 => \A r \in Range(q) : r \in gone

\* One caller at a time has the lock.
OneHolds == BFlush = 0 => Cardinality({r \in Ids : Up(r) /\ st[r] \in {"pre", "held"}}) <= 1

\* C3. A caller that was signalled gets the lock back, whatever messages are lost. So does one that has lost its
\* place.
NoLostWakeUp == \A r \in Ids :
  (r \in sg \cup hurt /\ st[r] \in Waits) ~> (~Up(r) \/ st[r] \in {"held", "over"} \/ lk = r)

\* No request that is over holds the lock or waits, without a command under way.
NoGhost == \A r \in Ids : (st[r] = "over" /\ Up(r) /\ BFlush = 0 /\ \A c \in net : c.r # r)
                            => lk \notin {r, Pre(r)} /\ r \notin Range(q) \cup Range(li)
=============================================================================
