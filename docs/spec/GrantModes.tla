----------------------------- MODULE GrantModes -----------------------------
(***************************************************************************)
(* Shared and exclusive grants of one lock, as the code has them. README.md*)
(* says where the code differs.                                            *)
(*                                                                         *)
(* A queue of waiters with a mode each, one rule "does the first fit?", and*)
(* a hand-over that grants while the first fits. A writer is granted a free*)
(* lock. A reader is granted a lock that is free, or shared by the readers *)
(* of a run. The lock of a run is a marker: mode s, no id, and the token of*)
(* the run. Next to it, Redis keeps the end of each reader.                *)
(*                                                                         *)
(* The model has time in ticks, and one clock for Redis and all clients.   *)
(* GrantClock has their differences. Redis removes keys in Tick, and expired*)
(* readers when a script runs. A script is one step (Exec). Commands,      *)
(* answers and messages are unordered and may be late for ever, which is   *)
(* how they get lost. Each request is a process of its own.                *)
(*                                                                         *)
(* Each grant takes a number, the fence + 1. It is the token of a writer.  *)
(* The token of a run is the number of its first grant. A message carries  *)
(* its number, and a busy answer the mark: the highest number so far.      *)
(*                                                                         *)
(* A downgrade ends the grant of a writer, and begins a run under a new id,*)
(* in one step. From the command on, the process believes as a reader.     *)
(*                                                                         *)
(* Each constant Fix... is a rule. FALSE removes the rule.                 *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  N,              \* ids 1..N; each is used once
  Writers,        \* the ids in exclusive mode; all others are readers
  Lease,          \* the lease of each id, in ticks
  From, To,       \* the writer that may downgrade, and the new id of its run; 0: none
  Held,           \* the id that holds the lock in the beginning; 0: none
  There,          \* the ids that wait in the beginning, in the order of their numbers
  MayGiveUp,      \* the ids whose caller may time out or be interrupted
  MaxT,
  PerScript,      \* TRUE: all grants of one script share one number
  BAgain, BRenew, BCrash, BSub, BForce, BDel,  \* budgets
  FixMark,        \* a message is dropped unless its number is above the mark; FALSE: if its token is below the holder's
  FixNumber,      \* a message is judged by its number; FALSE: by its token
  FixStart,       \* a lease counts from the last busy acquire; FALSE: from the receipt of the message
  FixExpiry,      \* a repeated acquire of a holder sets its expiry again
  FixPlace,       \* a repeated acquire of a waiter keeps its place
  FixQueue,       \* a reader joins a run only if no live request waits before it
  FixRecheck,     \* an acquire of a waiter hands over a shared lock as well; FALSE: a free one only
  FixFits,        \* a writer is granted a free lock only; FALSE: also one whose readers hold it
  FixAll,         \* a hand-over grants while the first fits; FALSE: one grant
  FixDeaf,        \* a writer that cannot be notified keeps readers from a shared lock
  FixLeave,       \* the end of a waiter hands over as well
  FixLast,        \* only the end of the last reader frees the lock
  FixPurge,       \* each script first removes the readers whose lease has ended
  FixRaise,       \* a reader with a later end raises the expiry of the marker
  FixShort,       \* a reader with an earlier end does not lower the expiry of the marker
  FixLower,       \* an end lowers the expiry of the marker to the latest end that is left
  FixClear,       \* a new run first removes the readers of an earlier one
  FixToken,       \* the marker keeps its token when a reader joins the run
  FixTomb,        \* an end leaves a mark that refuses late acquires
  FixDownToken,   \* a downgrade takes a new token
  FixDownJoin,    \* a downgrade hands over to the first readers
  FixDownLonger,  \* a downgrade does not shorten the expiry
  FixDownOver,    \* a downgrade leaves the mark for its old id
  FixDownRefuse,  \* a downgrade to an id that has ended is refused
  FixDownBoth,    \* the end of a downgrade without an answer ends both ids
  FixDownWait,    \* the old id is not ended before the answer to its downgrade
  FixDownSame     \* a repeated downgrade is answered as the first

None == 0
Ids == 1..N
Even == [r \in Ids |-> 2]
Long1 == [r \in Ids |-> IF r = 1 THEN 3 ELSE 2]
Long2 == [r \in Ids |-> IF r = 2 THEN 3 ELSE 2]
Short2 == [r \in Ids |-> IF r = 2 THEN 1 ELSE 2]
IsW(r) == r \in Writers

VARIABLES
  now,
  lock,           \* the lock key [m, id, tok, exp]; m: free, x, s
  ends,           \* the end of each reader; 0: none
  queue, gone,    \* the waiters by arrival; those that are dead by the rules of Redis
  tomb, fence,
  sub,            \* ids whose process has a working subscription
  inbox,          \* messages [k, r, num, tok]
  net, rep,       \* commands [op, r, at]; answers [op, r, at, res, tok, mark]
  st,             \* client: idle, wait, held, turn (reader in place of a writer, no answer yet), over
  till, tok,      \* client: local end, token
  sent, mark,     \* client: when the last acquire was sent that was answered busy; the mark
  crashed,
  num,            \* history: the number of the grant of each id
  arr,            \* history: live waiters in the order of their arrival
  top,            \* history: the highest token of a writer or run
  bad,            \* history: what went wrong
  b               \* budgets left

redis  == <<lock, ends, queue, gone, tomb, fence>>
hist   == <<num, arr, top, bad>>
client == <<st, till, tok, sent, mark>>
vars   == <<now, redis, sub, inbox, net, rep, client, crashed, hist, b>>

MaxOf(S) == CHOOSE x \in S : \A y \in S : x >= y
Max(x, y) == IF x > y THEN x ELSE y
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Range(s) == {s[k] : k \in DOMAIN s}
Without(s, x) == SelectSeq(s, LAMBDA y : y # x)
Pos(s, x) == CHOOSE k \in DOMAIN s : s[k] = x
Up(r) == r \notin crashed
Spend(f) == b[f] > 0 /\ b' = [b EXCEPT ![f] = @ - 1]
Free == [m |-> "free", id |-> None, tok |-> 0, exp |-> 0]
NoEnds == [r \in Ids |-> 0]
In(e) == {r \in Ids : e[r] # 0}
Latest(e) == MaxOf({e[r] : r \in Ids})

There0 == SelectSeq([k \in 1..N |-> k], LAMBDA r : r \in There)
Init ==
  /\ now = 0
  /\ fence = (IF Held = None THEN 0 ELSE 1) /\ top = fence
  /\ lock = IF Held = None THEN Free
            ELSE [m |-> IF IsW(Held) THEN "x" ELSE "s", id |-> IF IsW(Held) THEN Held ELSE None,
                  tok |-> 1, exp |-> Lease[Held]]
  /\ ends = [r \in Ids |-> IF r = Held /\ ~IsW(r) THEN Lease[r] ELSE 0]
  /\ queue = There0 /\ arr = There0 /\ gone = {} /\ tomb = {}
  /\ sub = Ids /\ inbox = {} /\ net = {} /\ rep = {} /\ crashed = {} /\ bad = {}
  /\ st = [r \in Ids |-> IF r = Held THEN "held" ELSE IF r \in There THEN "wait" ELSE "idle"]
  /\ till = [r \in Ids |-> IF r = Held THEN Lease[r] ELSE 0]
  /\ tok = [r \in Ids |-> IF r = Held THEN 1 ELSE 0] /\ num = tok
  /\ sent = NoEnds /\ mark = [r \in Ids |-> IF r \in There THEN 1 ELSE 0]
  /\ b = [again |-> BAgain, renew |-> BRenew, crash |-> BCrash, sub |-> BSub, force |-> BForce,
          del |-> BDel]

-----------------------------------------------------------------------------
(* The hand-over. `told` has the ids that learn of a grant by the answer.  *)

\* the waiter to be granted next; mode: that of the lock
ToGrant(q, mode, told) ==
  LET can(k) == q[k] \in told \cup sub
      fit(k) == CASE mode = "free" -> can(k)
                  [] mode = "s" /\ IsW(q[k]) -> ~FixFits /\ k = 1 /\ can(k)
                  [] mode = "s" -> can(k) /\ \A j \in 1..(k - 1) : IsW(q[j]) => ~FixDeaf /\ ~can(j)
                  [] OTHER -> FALSE
      ks == {k \in DOMAIN q : fit(k)}
  IN IF ks = {} THEN None ELSE q[Min(ks)]

RECURSIVE Chosen(_, _, _, _)
Chosen(q, mode, told, acc) ==
  LET x == ToGrant(q, mode, told) IN
  IF x = None \/ (acc # <<>> /\ ~FixAll) THEN acc
  ELSE Chosen(Without(q, x), IF IsW(x) THEN "x" ELSE "s", told, Append(acc, x))

\* the expiry of the marker after reader r was granted its lease
Raised(l, e, r) == IF l.m = "free" THEN e[r]
                   ELSE IF ~FixRaise THEN l.exp
                   ELSE IF ~FixShort THEN e[r] ELSE Latest(e)

\* one grant: s = [l, e] with the lock and the ends, n its number
Grant(s, r, n) ==
  LET e0 == IF s.l.m = "free" /\ ~IsW(r) /\ FixClear THEN NoEnds ELSE s.e
      e1 == [e0 EXCEPT ![r] = now + Lease[r]]
  IN IF IsW(r) THEN [l |-> [m |-> "x", id |-> r, tok |-> n, exp |-> now + Lease[r]], e |-> e0]
     ELSE [l |-> [m |-> "s", id |-> None, tok |-> IF s.l.m = "s" /\ FixToken THEN s.l.tok ELSE n,
                  exp |-> Raised(s.l, e1, r)],
           e |-> e1]

RECURSIVE Granted(_, _, _)
Granted(s, g, n) ==
  IF g = <<>> THEN s ELSE Granted(Grant(s, Head(g), n), Tail(g), IF PerScript THEN n ELSE n + 1)

Number(g, n, r) == IF PerScript THEN n ELSE n + Pos(g, r) - 1

-----------------------------------------------------------------------------
(* What each script is judged by.                                          *)

\* a live waiter that can be notified still fits
Idle(mode, q, dead) ==
  LET p == SelectSeq(q, LAMBDA x : x \notin dead)
      heard == {k \in DOMAIN p : p[k] \in sub}
  IN \/ mode = "free" /\ heard # {}
     \/ mode = "s" /\ \E k \in heard : \A j \in 1..k : ~IsW(p[j])

\* the live waiters that the k-th grant of g has passed; mode: that of the lock before the grants
Passed(g, k, mode, a) ==
  IF g[k] \notin Range(a) THEN {}
  ELSE {x \in Range(a) : /\ Pos(a, x) < Pos(a, g[k]) /\ x \notin Range(g)
                         /\ st[x] = "wait" /\ Up(x) /\ x \notin gone
                         /\ (x \in sub \/ (IsW(x) /\ ~IsW(g[k]) /\ (mode = "s" \/ k > 1)))}

\* Ends a script: l, e, q are its state before the hand-over, n the first number that is free, t0 the mark of ended
\* requests, a the order of arrival. `skip`: no hand-over.
Finish(l, e, q, n, told, t0, a, skip) ==
  LET q1 == SelectSeq(q, LAMBDA x : x \notin gone \/ x \in told)
      g  == IF skip THEN <<>> ELSE Chosen(q1, l.m, told, <<>>)
      s1 == Granted([l |-> l, e |-> e], g, n)
      s  == IF s1.l.exp <= now THEN [s1 EXCEPT !.l = Free] ELSE s1    \* Redis removes a key whose expiry has passed
      \* a writer was granted the lock, or a run began
      new == IF s.l.m = "s" THEN lock.m # "s" \/ l.m = "free" ELSE g # <<>>
      msg(r) == [k |-> "grant", r |-> r, num |-> Number(g, n, r), tok |-> IF IsW(r) THEN Number(g, n, r) ELSE s.l.tok]
  IN /\ lock' = s.l /\ ends' = s.e
     /\ queue' = SelectSeq(IF skip THEN q ELSE q1, LAMBDA x : x \notin Range(g))
     /\ gone' = (gone \cap Range(queue')) \ told
     /\ tomb' = t0
     /\ fence' = IF g = <<>> THEN n - 1 ELSE Number(g, n, g[Len(g)])
     /\ num' = [r \in Ids |-> IF r \in Range(g) THEN Number(g, n, r) ELSE IF r \in t0 THEN 0 ELSE num[r]]
     /\ arr' = SelectSeq(a, LAMBDA x : x \notin Range(g) /\ (x \notin gone \/ x \in told))
     /\ inbox' = inbox \cup {msg(r) : r \in {x \in Range(g) \ told : x \in sub /\ st[x] = "wait" /\ Up(x)}}
     /\ top' = Max(top, s.l.tok)
     /\ bad' = bad \cup (IF Idle(s.l.m, queue', gone') THEN {"idle"} ELSE {})
                   \cup (IF \E k \in DOMAIN g : Passed(g, k, l.m, a) # {} THEN {"passed"} ELSE {})
                   \cup (IF new /\ s.l.tok <= top THEN {"token"} ELSE {})
                   \cup (IF ~new /\ s.l.m = "s" /\ s.l.tok # lock.tok THEN {"run"} ELSE {})

-----------------------------------------------------------------------------
(* Redis: one script, one step.                                            *)

\* each script begins with this
Ends0 == IF FixPurge THEN [r \in Ids |-> IF ends[r] > now THEN ends[r] ELSE 0] ELSE ends
Lock0 == IF lock.m = "s" /\ In(Ends0) = {} THEN Free ELSE lock

HoldsX(r) == lock.m = "x" /\ lock.id = r
HoldsS(r) == Lock0.m = "s" /\ Ends0[r] # 0
Longer(r) == [Ends0 EXCEPT ![r] = Max(@, now + Lease[r])]

\* the states in which an answer changes something
Expects(op) == CASE op = "acq" -> {"wait"} [] op = "ren" -> {"held"} [] op = "down" -> {"turn"} [] OTHER -> {}
Answer(c, res, t, m) ==
  rep' = IF Up(c.r) /\ st[c.r] \in Expects(c.op)
         THEN rep \cup {[op |-> c.op, r |-> c.r, at |-> c.at, res |-> res, tok |-> t, mark |-> m]} ELSE rep

\* A script that finds its request as the holder: the expiry begins again if `set`, and nothing is handed over.
Confirm(r, set) ==
  /\ IF ~set THEN lock' = Lock0 /\ ends' = Ends0
     ELSE IF HoldsX(r) THEN lock' = [lock EXCEPT !.exp = Max(@, now + Lease[r])] /\ ends' = Ends0
     ELSE lock' = [Lock0 EXCEPT !.exp = Raised(Lock0, Longer(r), r)] /\ ends' = Longer(r)
  /\ UNCHANGED <<queue, gone, tomb, fence, inbox, num, arr, top, bad>>

\* Exec drops the acquires of requests in `tomb`, which are refused.
ExecAcquire(c) ==
  LET r  == c.r
      q0 == IF FixPlace THEN queue ELSE Without(queue, r)
      q  == IF r \in Range(q0) THEN q0 ELSE Append(q0, r)
      a  == IF r \in Range(arr) \/ st[r] # "wait" \/ ~Up(r) THEN arr ELSE Append(arr, r)
      n  == fence + 1
      s  == Grant([l |-> Lock0, e |-> Ends0], r, n)
  IN IF HoldsX(r) \/ HoldsS(r) THEN
       /\ Confirm(r, FixExpiry)
       /\ Answer(c, "granted", lock'.tok, 0)
     ELSE IF ~FixQueue /\ ~IsW(r) /\ Lock0.m = "s" THEN       \* passes all that wait
       /\ lock' = s.l /\ ends' = s.e /\ queue' = Without(queue, r) /\ fence' = n /\ num' = [num EXCEPT ![r] = n]
       /\ bad' = IF Passed(<<r>>, 1, "s", a) # {} THEN bad \cup {"passed"} ELSE bad
       /\ arr' = Without(a, r)
       /\ Answer(c, "granted", lock'.tok, 0)
       /\ UNCHANGED <<gone, tomb, inbox, top>>
     ELSE
       /\ Finish(Lock0, Ends0, q, n, {r}, tomb, a, Lock0.m = "s" /\ ~FixRecheck)
       /\ IF r \in Range(queue') THEN Answer(c, "busy", 0, IF FixMark THEN fence' ELSE lock'.tok)
                                 ELSE Answer(c, "granted", lock'.tok, 0)

\* the state of the lock without reader r
Left(r) ==
  LET e == [Ends0 EXCEPT ![r] = 0] IN
  IF Lock0.m # "s" THEN Lock0
  ELSE IF In(e) = {} \/ (~FixLast /\ HoldsS(r)) THEN Free
  ELSE IF FixLower THEN [Lock0 EXCEPT !.exp = IF FixRaise /\ FixShort THEN Latest(e) ELSE @] ELSE Lock0

ExecEnd(c) ==
  LET r == c.r
      l == IF HoldsX(r) THEN Free ELSE Left(r)
      t == IF FixTomb THEN tomb \cup {r} ELSE tomb
      waited == r \in Range(queue)
  IN /\ Finish(l, [Ends0 EXCEPT ![r] = 0], Without(queue, r), fence + 1, {}, t, Without(arr, r), waited /\ ~FixLeave)
     /\ UNCHANGED rep

ExecRenew(c) ==
  IF HoldsX(c.r) \/ HoldsS(c.r) THEN Confirm(c.r, TRUE) /\ Answer(c, "granted", lock'.tok, 0)
  ELSE Confirm(c.r, FALSE) /\ Answer(c, "no", 0, 0)

\* c.r is the new id, From the old one
ExecDowngrade(c) ==
  LET r == c.r
      n == fence + 1
      e == [NoEnds EXCEPT ![r] = IF FixDownLonger THEN Max(lock.exp, now + Lease[r]) ELSE now + Lease[r]]
      l == [m |-> "s", id |-> None, tok |-> IF FixDownToken THEN n ELSE lock.tok, exp |-> e[r]]
      t == IF FixDownOver THEN tomb \cup {From} ELSE tomb
  IN IF HoldsX(From) /\ (r \notin tomb \/ ~FixDownRefuse)
     THEN /\ Finish(l, e, queue, IF PerScript THEN n ELSE n + 1, {}, t, arr, ~FixDownJoin)
          /\ Answer(c, "granted", lock'.tok, 0)
     ELSE IF HoldsS(r) /\ FixDownSame
     THEN Confirm(r, TRUE) /\ Answer(c, "granted", lock'.tok, 0)
     ELSE Confirm(r, FALSE) /\ Answer(c, "no", 0, 0)

Exec(c) ==
  /\ c \in net
  /\ CASE c.op = "acq" -> ExecAcquire(c)
       [] c.op = "end" -> ExecEnd(c)
       [] c.op = "ren" -> ExecRenew(c)
       [] c.op = "down" -> ExecDowngrade(c)
  \* an acquire of a request that has ended will be refused
  /\ net' = {x \in net : x # c /\ ~(x.op = "acq" /\ x.r \in tomb')}
  /\ UNCHANGED <<now, sub, client, crashed, b>>

Tick ==
  /\ now < MaxT /\ now' = now + 1
  /\ lock' = IF lock.m # "free" /\ lock.exp <= now' THEN Free ELSE lock
  /\ ends' = IF \A r \in Ids : ends[r] <= now' THEN NoEnds ELSE ends     \* the key of the readers expires with the last
  /\ UNCHANGED <<queue, gone, tomb, fence, sub, inbox, net, rep, client, crashed, hist, b>>

Silent(r) ==     \* a waiter whose process has died is dead
  /\ r \in Range(queue) \ gone /\ ~Up(r)
  /\ gone' = gone \cup {r} /\ arr' = Without(arr, r)
  /\ UNCHANGED <<now, lock, ends, queue, tomb, fence, sub, inbox, net, rep, client, crashed, num, top, bad, b>>

Force ==         \* a script: it frees the lock, notifies each holder, and hands over
  /\ Lock0.m # "free" /\ Spend("force")
  /\ LET h == IF lock.m = "x" THEN {lock.id} ELSE In(Ends0)
         m == {[k |-> "revoked", r |-> r, num |-> 0, tok |-> lock.tok] : r \in h \cap sub}
     IN Finish(Free, NoEnds, queue, fence + 1, {}, tomb, arr, FALSE) /\ rep' = rep
  /\ UNCHANGED <<now, sub, net, client, crashed>>

Del ==           \* an operator deletes the lock key alone
  /\ lock.m # "free" /\ Spend("del")
  /\ lock' = Free
  /\ UNCHANGED <<now, ends, queue, gone, tomb, fence, sub, inbox, net, rep, client, crashed, hist>>

-----------------------------------------------------------------------------
(* The client.                                                             *)

ClientOnly == UNCHANGED <<now, redis, crashed, num, top>>
Cmd(op, r) == [op |-> op, r |-> r, at |-> IF op = "end" THEN 0 ELSE now]

\* The request is over: its end is sent, and repeated until it is answered. Nothing else is of use to it.
Over(r) ==
  LET d == {r} \cup (IF r = To /\ st[To] = "turn" /\ FixDownBoth THEN {From} ELSE {}) IN
  /\ st' = [st EXCEPT ![r] = "over"] /\ till' = [till EXCEPT ![r] = 0] /\ tok' = [tok EXCEPT ![r] = 0]
  /\ sent' = [sent EXCEPT ![r] = 0] /\ mark' = [mark EXCEPT ![r] = 0]
  /\ net' = net \cup {Cmd("end", x) : x \in d}
  /\ rep' = {p \in rep : p.r # r} /\ inbox' = {m \in inbox : m.r # r}
  /\ arr' = Without(arr, r)

Start(r) ==
  /\ Up(r) /\ st[r] = "idle" /\ r # To
  /\ st' = [st EXCEPT ![r] = "wait"] /\ sent' = [sent EXCEPT ![r] = now]
  /\ net' = net \cup {Cmd("acq", r)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, till, tok, mark, arr, bad, b>>

\* a request that was downgraded needs no end of its own
Op(r) == CASE st[r] = "wait" -> "acq" [] st[r] = "turn" -> "down"
           [] st[r] = "over" /\ (r # From \/ To = None \/ st[To] \notin {"turn", "held"}) -> "end"
           [] st[r] = "over" /\ r = From /\ st[To] = "turn" /\ ~FixDownWait -> "end"
           [] OTHER -> "none"
Again(r) ==      \* a recheck, or a repeat of a command that was not answered
  /\ Up(r) /\ Op(r) # "none" /\ Cmd(Op(r), r) \notin net /\ Spend("again")
  /\ net' = net \cup {Cmd(Op(r), r)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, client, arr, bad>>

GiveUp(r) ==
  /\ Up(r) /\ st[r] = "wait" /\ r \in MayGiveUp
  /\ Over(r)
  /\ ClientOnly /\ UNCHANGED <<sub, bad, b>>

Ends(r) ==       \* a release, or the local end has passed
  /\ Up(r) /\ (st[r] = "held" \/ (st[r] = "turn" /\ till[r] <= now))
  /\ Over(r)
  /\ ClientOnly /\ UNCHANGED <<sub, bad, b>>

Renew(r) ==
  /\ Up(r) /\ st[r] = "held" /\ till[r] > now /\ Spend("renew")
  /\ net' = net \cup {Cmd("ren", r)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, client, arr, bad>>

Downgrade ==
  /\ From # None /\ Up(From) /\ st[From] = "held" /\ till[From] > now
  /\ st' = [st EXCEPT ![From] = "over", ![To] = "turn"]
  /\ till' = [till EXCEPT ![From] = 0, ![To] = till[From]] /\ tok' = [tok EXCEPT ![From] = 0]
  /\ net' = net \cup {Cmd("down", To)}
  /\ ClientOnly /\ UNCHANGED <<sub, inbox, rep, sent, mark, arr, bad, b>>

\* A waiter learns that it was granted the lock. Answers and messages that come later tell it nothing.
Take(r, t, e) ==
  IF e <= now THEN UNCHANGED <<st, till, tok, sent, mark, arr>>    \* the lease has ended: it asks again
  ELSE /\ st' = [st EXCEPT ![r] = "held"] /\ till' = [till EXCEPT ![r] = e] /\ tok' = [tok EXCEPT ![r] = t]
       /\ sent' = [sent EXCEPT ![r] = 0] /\ mark' = [mark EXCEPT ![r] = 0]
       /\ arr' = Without(arr, r)
Later(r, e) == IF e <= now THEN {} ELSE {r}

Fresh(m) == IF FixMark THEN (IF FixNumber THEN m.num ELSE m.tok) > mark[m.r] ELSE m.tok >= mark[m.r]
Alive(r) == IF IsW(r) THEN HoldsX(r) ELSE lock.m = "s" /\ ends[r] > now
Deliver(m) ==
  LET r == m.r
      e == Lease[r] + (IF FixStart THEN sent[r] ELSE now)
  IN
  /\ m \in inbox /\ Up(r) /\ r \in sub
  /\ CASE m.k = "revoked" /\ st[r] = "held" /\ tok[r] = m.tok -> Over(r) /\ bad' = bad
       [] m.k = "grant" /\ st[r] = "wait" /\ Fresh(m) ->
            /\ Take(r, m.tok, e)
            /\ inbox' = {x \in inbox : x # m /\ (x.r \notin Later(r, e) \/ x.k # "grant")}
            /\ rep' = {p \in rep : p.r \notin Later(r, e)}
            /\ UNCHANGED <<net, bad>>
       [] m.k = "grant" /\ st[r] = "wait" /\ ~Fresh(m) ->
            /\ bad' = IF Alive(r) /\ num[r] = m.num THEN bad \cup {"unheard"} ELSE bad
            /\ inbox' = inbox \ {m} /\ UNCHANGED <<client, arr, net, rep>>
       [] OTHER -> inbox' = inbox \ {m} /\ UNCHANGED <<client, arr, net, rep, bad>>
  /\ ClientOnly /\ UNCHANGED <<sub, b>>

Handle(p) ==
  LET r == p.r
      e == p.at + Lease[r]
  IN
  /\ p \in rep /\ Up(r)
  /\ CASE p.op = "acq" /\ st[r] = "wait" /\ p.res = "granted" ->
            /\ Take(r, p.tok, e)
            /\ rep' = {x \in rep : x # p /\ x.r \notin Later(r, e)}
            /\ inbox' = {x \in inbox : x.r \notin Later(r, e) \/ x.k # "grant"}
            /\ UNCHANGED net
       [] p.op = "acq" /\ st[r] = "wait" /\ p.res = "busy" ->
            /\ sent' = [sent EXCEPT ![r] = Max(@, p.at)] /\ mark' = [mark EXCEPT ![r] = Max(@, p.mark)]
            /\ rep' = rep \ {p} /\ UNCHANGED <<net, st, till, tok, arr, inbox>>
       [] p.op = "ren" /\ st[r] = "held" /\ p.res = "granted" /\ till[r] > now ->
            /\ till' = [till EXCEPT ![r] = Max(@, e)]
            /\ rep' = rep \ {p} /\ UNCHANGED <<net, st, tok, sent, mark, arr, inbox>>
       [] p.op = "down" /\ st[r] = "turn" /\ p.res = "granted" /\ till[r] > now ->
            /\ st' = [st EXCEPT ![r] = "held"] /\ tok' = [tok EXCEPT ![r] = p.tok]
            /\ till' = [till EXCEPT ![r] = Max(@, e)]
            /\ rep' = {x \in rep : x.r # r} /\ UNCHANGED <<net, sent, mark, arr, inbox>>
       [] <<p.op, st[r]>> \in {<<"ren", "held">>, <<"down", "turn">>} /\ p.res = "no" -> Over(r)
       [] OTHER -> rep' = rep \ {p} /\ UNCHANGED <<client, arr, net, inbox>>
  /\ bad' = IF p.op = "down" /\ st[r] = "turn" /\ p.res = "no" /\ till[r] > now THEN bad \cup {"refused"} ELSE bad
  /\ ClientOnly /\ UNCHANGED <<sub, b>>

-----------------------------------------------------------------------------
(* The world.                                                              *)

Deaf(r) ==
  /\ r \in sub /\ st[r] = "wait" /\ Spend("sub")
  /\ sub' = sub \ {r}
  /\ UNCHANGED <<now, redis, inbox, net, rep, client, crashed, hist>>

Hears(r) ==
  /\ r \notin sub
  /\ sub' = sub \cup {r}
  /\ UNCHANGED <<now, redis, inbox, net, rep, client, crashed, hist, b>>

Crash(r) ==
  /\ Up(r) /\ st[r] \in {"wait", "held", "turn"} /\ Spend("crash")
  /\ LET d == {r} \cup (IF r \in {From, To} THEN {From, To} ELSE {}) IN
     /\ crashed' = crashed \cup d
     /\ rep' = {p \in rep : p.r \notin d} /\ inbox' = {m \in inbox : m.r \notin d}
  /\ UNCHANGED <<now, redis, sub, net, client, hist>>

Next ==
  \/ Tick \/ Force \/ Del \/ Downgrade
  \/ \E c \in net : Exec(c)
  \/ \E p \in rep : Handle(p)
  \/ \E m \in inbox : Deliver(m)
  \/ \E r \in Ids : \/ Start(r) \/ Again(r) \/ GiveUp(r) \/ Ends(r) \/ Renew(r)
                    \/ Deaf(r) \/ Hears(r) \/ Crash(r) \/ Silent(r)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties.                                                             *)

TypeOk == /\ lock.m \in {"free", "x", "s"} /\ (lock.m = "x" => IsW(lock.id)) /\ (lock.m # "x" => lock.id = None)
          /\ Cardinality(Range(queue)) = Len(queue) /\ gone \subseteq Range(queue)
          /\ lock.m # "free" => lock.exp > now

\* R1. A client that believes to be the writer is the only one that believes, and Redis agrees with each belief.
Believes(r) == Up(r) /\ st[r] \in {"held", "turn"} /\ now < till[r]
Kept == BForce = 0 /\ BDel = 0
OneBelieves == Kept => \A r, s \in Ids : IsW(r) /\ Believes(r) /\ Believes(s) => r = s
BeliefIsTrue == Kept => \A r \in Ids : Believes(r) =>
  IF st[r] = "turn" THEN HoldsX(From) \/ Alive(r) ELSE Alive(r) /\ tok[r] = lock.tok

\* R2. After each script, no live waiter that can be notified fits.
NeverIdle == "idle" \notin bad

\* R3. The token of a run is constant, and each later writer or run has a greater one.
RunToken == "run" \notin bad
TokensGrow == "token" \notin bad

\* R4. The lock exists while it is held and no longer. A marker expires with the last reader, and all readers are of its
\* run.
KeyIsTrue ==
  LET live == {r \in Ids : ends[r] > now} IN
  /\ lock.m = "s" => /\ live # {} /\ lock.exp = Latest(ends)
                     /\ \A r \in live : num[r] >= lock.tok \/ r = To
  /\ lock.m # "s" /\ BDel = 0 => live = {}

\* R5. No live waiter that can be notified is passed, and no live writer while the lock is shared.
Fifo == "passed" \notin bad

\* The message of a grant that lasts is not dropped.
Heard == "unheard" \notin bad

\* A downgrade in time is granted, also if it is repeated.
Downgrades == Kept => "refused" \notin bad

\* No request that is over holds the lock, or waits, without a command under way.
Quiet(r) == /\ Up(r) /\ st[r] = "over" /\ ~(r = From /\ To # None /\ st[To] = "turn")
            /\ \A c \in net : c.r # r /\ (r = From => c.op # "down")
NoGhostHolder == \A r \in Ids : Quiet(r) => ~Alive(r)
NoGhostWaiter == \A r \in Ids : Quiet(r) => r \notin Range(queue)
=============================================================================
