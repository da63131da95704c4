---------------------------- MODULE GrantCohort2 ----------------------------
(***************************************************************************)
(* GrantCohort and the decisions 35 to 37. One lock.                       *)
(*                                                                         *)
(* 35  A grant from the queue, or by an exchange, reserves tokens for the  *)
(*     passes of its block.  A grant at once by an acquire reserves none.  *)
(*     The token says whether tokens are reserved (decision 38).           *)
(* 36  The answer to an end tells a waiter of the same process that it was *)
(*     granted the lock.  Redis publishes no message then.                 *)
(* 37  A process extends a block that no other waiter wants.  It asks      *)
(*     (`pro`) beside the work: new lease, new tokens, same id.            *)
(*                                                                         *)
(* Ids in Redis are blocks (1..NB) and requests that ask by themselves     *)
(* (Solo). A recheck (`chk`) is one command per process. It carries the    *)
(* oldest waiting id of the process: a block, or a request. Its answer     *)
(* says which id holds the lock, and whether the oldest is missing. A      *)
(* command ends one id, acquires for one id, or does both (exchange).      *)
(* Commands are unordered, may run late, and run twice if they are         *)
(* repeated. A script is one step.                                         *)
(*                                                                         *)
(* Redis counts every setting of an expiry as an epoch: a grant, a repeated*)
(* acquire of the holder, an extension. Leases are equally long, so epochs *)
(* end in order, and all up to `over` have ended. Redis may expire a holder*)
(* only when its last epoch has ended. A belief is worth the epoch that was*)
(* reported, if it counts from a command sent before that epoch began. Any *)
(* other belief is `unsound`, and nothing bounds it.                       *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  NP, N, NB,
  ProcOf,         \* process of each request
  Solo,           \* requests that ask by themselves
  There,          \* requests that wait from the beginning
  Warm,           \* at most one request, which holds the lock in the beginning
  Limit,          \* passes of a block, and tokens reserved for them
  MaxRuns,        \* how many times a block may be extended
  MaxTok,
  MayGiveUp,
  ByTime,         \* a block may end, by its time, before its passes are used up
  BTimeout, BDrop, BSub, BEarly, BCrash,
  FixStale,       \* a grant with a token not above the mark of the last busy is dropped
  FixKnown,       \* 35: tokens count only if the token of the grant says that they are reserved
  FixReserve,     \* 35: a grant from the queue reserves
  FixTellOwn,     \* 36: the answer reports the grant that this end made; FALSE: any holder of the process
  FixTellReader,  \* 36: Redis publishes no message only if the reader of the answer is of the process; FALSE: never
  FixAnswerLost,  \* 36: a waiter rechecks although the answer reported it as waiting
  FixMine, FixOldest, FixMineStart, FixMarkHolder,   \* as in Grant; FixMarkHolder: the mark is of the time after the hand-over
  FixProQueue,    \* 37: the answer is no if another request waits
  FixProHolder,   \* 37: an extension acts on the holder's own grant only
  FixProReserve,  \* 37: an extension reserves tokens
  FixProBlock,    \* 37: the process drops an answer about another block
  FixProMade,     \* 37: passes made since the question count
  FixProAlive,    \* 37: the process drops an answer that comes after the local end
  FixProLease     \* 37: only a yes extends the lease

None == 0
Procs == 1..NP
Reqs == 1..N
Blks == 1..NB
IdOf(r) == NB + r
Ids == Blks \cup {IdOf(r) : r \in Solo}
P(x) == IF x <= NB THEN ((x - 1) % NP) + 1 ELSE ProcOf[x - NB]
IsBlk(x) == x \in Blks

VARIABLES
  holder, htok, hep, hkeep, fence, queue, tomb,   \* Redis; hkeep: the tokens kept for the holder, as its token says
  sub, inbox, net, rep,
  over, crashed, b,
  st, lq,                                     \* requests; local queues
  cur, bst, base, res, made, when, runs, asked, next, lh,   \* the block of each process
  bep, sep,                                   \* epochs believed: of the block, of requests that ask by themselves
  owe, unans, joined, mark,                   \* of ids; joined: an answer reported the id as waiting
  from,                                       \* history: the fence when the command ran from which the process counts
  unsound, top, byp, bad

redis == <<holder, htok, hep, hkeep, fence, queue, tomb>>
blk   == <<cur, bst, base, res, made, when, runs, asked, next, lh, bep>>
solo  == <<sep>>
know  == <<unans, joined, mark, from>>
hist  == <<top, byp, bad>>
vars  == <<redis, sub, inbox, net, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>

Range(s) == {s[k] : k \in DOMAIN s}
Without(s, X) == SelectSeq(s, LAMBDA y : y \notin X)
Max(x, y) == IF x > y THEN x ELSE y
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
MinOf(x, y) == IF x < y THEN x ELSE y
Spend(f) == b[f] > 0 /\ b' = [b EXCEPT ![f] = @ - 1]
Up(p) == p \notin crashed

Acq(x, e, M) == [k |-> "turn", p |-> P(x), e |-> e, a |-> x, m |-> M, live |-> TRUE]

TheirQueue(p) == LET F[k \in 0..N] == IF k = 0 THEN <<>> ELSE
                       IF k \in There \ Solo /\ ProcOf[k] = p THEN Append(F[k-1], k) ELSE F[k-1] IN F[N]
Kept(x) == IF IsBlk(x) THEN Limit ELSE 0
Reserved(n) == IF FixReserve THEN n ELSE 0      \* FALSE: the token says so, but the fence does not move
First0 == IF Warm = {} THEN None ELSE LET r == CHOOSE r \in Warm : TRUE IN IF r \in Solo THEN IdOf(r) ELSE ProcOf[r]
Holds0 == {ProcOf[r] : r \in Warm \ Solo}
Init ==
  /\ holder = First0 /\ queue = <<>> /\ tomb = {}
  /\ htok = (IF Warm = {} THEN 0 ELSE 1) /\ hep = htok /\ top = htok
  /\ hkeep = (IF Warm = {} THEN 0 ELSE Kept(First0)) /\ fence = (IF Warm = {} THEN 0 ELSE 1 + Reserved(hkeep))
  /\ sub = Procs /\ inbox = {} /\ rep = {} /\ over = 0 /\ crashed = {}
  /\ b = [timeout |-> BTimeout, drop |-> BDrop, sub |-> BSub, early |-> BEarly, crash |-> BCrash]
  /\ lh = [p \in Procs |-> IF p \in Holds0 THEN Head(TheirQueue(p)) ELSE None]
  /\ lq = [p \in Procs |-> IF p \in Holds0 THEN Tail(TheirQueue(p)) ELSE TheirQueue(p)]
  /\ st = [r \in Reqs |-> IF r \in Warm THEN "held" ELSE IF r \in There THEN "wait" ELSE "idle"]
  /\ cur = [p \in Procs |-> IF TheirQueue(p) = <<>> THEN None ELSE p]
  /\ bst = [p \in Procs |-> IF TheirQueue(p) = <<>> THEN "none" ELSE IF p \in Holds0 THEN "held" ELSE "ask"]
  /\ next = [p \in Procs |-> IF TheirQueue(p) = <<>> THEN p ELSE p + NP]
  /\ net = {Acq(p, {}, {}) : p \in {q \in Procs : bst[q] = "ask"}} \cup {Acq(IdOf(r), {}, {}) : r \in (There \cap Solo) \ Warm}
  /\ base = [p \in Procs |-> IF p \in Holds0 THEN 1 ELSE 0] /\ bep = base
  /\ res = [p \in Procs |-> IF p \in Holds0 THEN Limit ELSE 0] /\ made = [p \in Procs |-> 0]
  /\ when = [p \in Procs |-> 0] /\ runs = [p \in Procs |-> 0] /\ asked = [p \in Procs |-> FALSE]
  /\ sep = [r \in Reqs |-> IF r \in Warm \cap Solo THEN 1 ELSE 0]
  /\ owe = {} /\ unans = {} /\ joined = {} /\ mark = [x \in Ids |-> 0] /\ from = mark
  /\ unsound = {} /\ byp = [x \in Ids |-> 0] /\ bad = {}

-----------------------------------------------------------------------------
(* Redis.                                                                  *)

\* the first waiter that learns of the grant: by the answer (me, or any of process rd), or by a message
First(q, me, rd) == LET ks == {k \in DOMAIN q : q[k] = me \/ P(q[k]) = rd \/ P(q[k]) \in sub}
                    IN IF ks = {} THEN None ELSE q[Min(ks)]
HandOver(q, me, rd) ==
  LET w == First(q, me, rd) IN
  /\ holder' = w /\ queue' = Without(q, {w})
  /\ IF w = None THEN htok' = 0 /\ hkeep' = 0 /\ UNCHANGED <<hep, fence, inbox>>
     ELSE /\ fence < MaxTok
          /\ htok' = fence + 1 /\ hep' = hep + 1 /\ hkeep' = Kept(w)
          /\ fence' = fence + 1 + Reserved(Kept(w))
          /\ inbox' = IF w = me \/ P(w) = rd \/ (~FixTellReader /\ rd # None) THEN inbox
                      ELSE inbox \cup {[b |-> w, t |-> fence + 1, ep |-> hep + 1, kept |-> Kept(w)]}

\* what the answer to an end, or to a recheck, tells: <<id, token, epoch, tokens kept>>
Tell(q, rd) ==
  LET w == First(q, None, rd) IN
  IF w # None /\ P(w) = rd THEN <<w, fence + 1, hep + 1, Kept(w)>> ELSE <<>>

\* the mark: the token of the present holder, or the fence of a free lock
MarkNow == IF holder' # None THEN htok' ELSE fence'

Answer(c, what, t, ep, kept, tell) ==
  rep' = IF c.live /\ Up(c.p)
         THEN rep \cup {[p |-> c.p, e |-> c.e, a |-> c.a, res |-> what, t |-> t, ep |-> ep,
                         kept |-> kept, tell |-> tell, f |-> fence']}
         ELSE rep

Exec(c) ==
  LET q1 == Without(queue, c.e)
      h1 == IF holder \in c.e THEN None ELSE holder
      t1 == tomb \cup c.m
      q2 == IF c.a \in Range(q1) THEN q1 ELSE Append(q1, c.a)
      rd == IF c.a = None THEN c.p ELSE None
      ours == ~FixTellOwn /\ h1 # None /\ P(h1) = c.p /\ c.a = None
  IN
  /\ c \in net /\ c.k = "turn" /\ net' = net \ {c}
  /\ tomb' = t1
  /\ IF c.a = None \/ c.a \in t1 THEN
       /\ IF h1 = None THEN HandOver(q1, None, rd)
          ELSE holder' = holder /\ queue' = q1 /\ UNCHANGED <<htok, hep, hkeep, fence, inbox>>
       /\ Answer(c, "over", 0, 0, 0, IF h1 = None THEN Tell(q1, rd) ELSE IF ours THEN <<h1, htok, 0, hkeep>> ELSE <<>>)
     ELSE IF h1 = c.a THEN             \* the expiry begins again
       /\ queue' = q1 /\ hep' = hep + 1 /\ UNCHANGED <<holder, htok, hkeep, fence, inbox>>
       /\ Answer(c, "granted", htok, hep + 1, IF FixKnown THEN hkeep ELSE Limit, <<>>)
     ELSE IF h1 # None THEN
       /\ queue' = q2 /\ UNCHANGED <<holder, htok, hep, hkeep, fence, inbox>>
       /\ Answer(c, "busy", htok, 0, 0, <<>>)
     ELSE IF q1 = <<>> THEN            \* at once
       /\ fence < MaxTok
       /\ holder' = c.a /\ htok' = fence + 1 /\ hep' = hep + 1 /\ queue' = q1 /\ inbox' = inbox
       /\ hkeep' = (IF c.e = {} THEN 0 ELSE Kept(c.a)) /\ fence' = fence + 1 + Reserved(hkeep')
       /\ Answer(c, "granted", fence + 1, hep + 1, hkeep', <<>>)
     ELSE
       /\ HandOver(q2, c.a, None)
       /\ IF First(q2, c.a, None) = c.a
          THEN Answer(c, "granted", fence + 1, hep + 1, hkeep', <<>>)
          ELSE Answer(c, "busy", IF FixMarkHolder THEN MarkNow ELSE htok, 0, 0, <<>>)
  /\ UNCHANGED <<sub, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>

ExecPro(c) ==
  LET mine == holder = c.a \/ (~FixProHolder /\ holder # None)
      yes == mine /\ (queue = <<>> \/ ~FixProQueue)
  IN
  /\ c \in net /\ c.k = "pro" /\ net' = net \ {c}
  /\ IF yes THEN /\ fence < MaxTok /\ hep' = hep + 1
                 /\ fence' = IF FixProReserve THEN fence + 1 + Limit ELSE fence + 1
            ELSE UNCHANGED <<hep, fence>>
  /\ Answer(c, IF yes THEN "prolonged" ELSE IF mine THEN "wanted" ELSE "nothing", fence + 1, hep', Limit, <<>>)
  /\ UNCHANGED <<holder, htok, hkeep, queue, tomb, sub, inbox, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>

\* recheck: one command per process, with its oldest waiting id
ExecCheck(c) ==
  LET ours(h) == h # None /\ P(h) = c.p
      known(h, t, ep, kept) == IF ours(h) /\ FixMine THEN <<h, t, ep, kept>> ELSE <<>> IN
  /\ c \in net /\ c.k = "chk" /\ net' = net \ {c}
  /\ IF holder # None
     THEN /\ UNCHANGED <<holder, htok, hep, hkeep, fence, queue, inbox>>
          /\ Answer(c, IF c.a \in Range(queue) \/ holder = c.a \/ ~FixOldest THEN "there" ELSE "missing", MarkNow, 0, 0,
                    known(holder, htok, hep, hkeep))
     ELSE /\ HandOver(queue, None, c.p)
          /\ Answer(c, IF c.a \in Range(queue) \/ ~FixOldest THEN "there" ELSE "missing",
                    IF FixMarkHolder THEN MarkNow ELSE htok, 0, 0, known(holder', htok', hep', hkeep'))
  /\ UNCHANGED <<tomb, sub, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>

\* a live process cares for x: then only a pause, or a delay, of a whole lease ends it
Cared(x) == /\ Up(P(x))
            /\ IF IsBlk(x) THEN cur[P(x)] = x ELSE st[x - NB] \in {"wait", "held"}
LocalEnd ==
  /\ holder # None /\ over < hep
  /\ IF Cared(holder) THEN Spend("early") /\ \E e \in (over + 1)..hep : over' = e
                     ELSE b' = b /\ over' = hep
  /\ UNCHANGED <<redis, sub, inbox, net, rep, crashed, st, lq, blk, solo, owe, know, unsound, hist>>
Expire ==
  /\ holder # None /\ hep <= over /\ holder' = None /\ htok' = 0 /\ hkeep' = 0
  /\ UNCHANGED <<hep, fence, queue, tomb, sub, inbox, net, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>
Purge(p) ==
  /\ p \in crashed /\ \E x \in Range(queue) : P(x) = p
  /\ queue' = Without(queue, {x \in Ids : P(x) = p})
  /\ UNCHANGED <<holder, htok, hep, hkeep, fence, tomb, sub, inbox, net, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>

-----------------------------------------------------------------------------
(* The process.                                                            *)

UnderWay(x) == \/ \E c \in net : c.a = x /\ c.k = "turn"
               \/ \E q \in rep : q.a = x /\ q.res \in {"granted", "busy", "over"}
LiveFor(x) == \/ \E c \in net : c.live /\ c.k = "turn" /\ (c.a = x \/ x \in c.e)
              \/ \E q \in rep : x \in q.e \/ (q.a = x /\ q.res \in {"granted", "busy", "over"})
Marks(x) == IF x \in unans \/ UnderWay(x) THEN {x} ELSE {}
End(x) == [k |-> "turn", p |-> P(x), e |-> {x}, a |-> None, m |-> Marks(x), live |-> TRUE]

\* x is over: what was known of its grants is of no use any more
Forget(x) == joined' = joined \ {x} /\ mark' = [mark EXCEPT ![x] = 0]
             /\ from' = [from EXCEPT ![x] = 0] /\ unans' = unans

\* a request starts to hold with token t, by id x
Starts(t, x) ==
  /\ top' = Max(top, t)
  /\ bad' = IF t <= top THEN bad \cup {"token"} ELSE bad

Waiting(x) == IF IsBlk(x) THEN cur[P(x)] = x /\ bst[P(x)] = "ask" ELSE st[x - NB] = "wait"
Holding(x) == IF IsBlk(x) THEN cur[P(x)] = x /\ bst[P(x)] = "held" ELSE st[x - NB] = "held"
\* the block is over: the process asks for a new one if a local request waits, and owes the end
Renewed(p, y) ==
  /\ cur' = [cur EXCEPT ![p] = y]
  /\ bst' = [bst EXCEPT ![p] = IF y = None THEN "none" ELSE "ask"]
  /\ next' = [next EXCEPT ![p] = IF y = None THEN @ ELSE @ + NP]
  /\ made' = [made EXCEPT ![p] = 0] /\ when' = [when EXCEPT ![p] = 0] /\ runs' = [runs EXCEPT ![p] = 0]
  /\ asked' = [asked EXCEPT ![p] = FALSE] /\ res' = [res EXCEPT ![p] = 0] /\ base' = [base EXCEPT ![p] = 0]
  /\ bep' = [bep EXCEPT ![p] = 0] /\ lh' = [lh EXCEPT ![p] = None]

ArriveIn(r) ==
  LET p == ProcOf[r] IN
  /\ Up(p) /\ st[r] = "idle" /\ r \notin Solo
  /\ \A x \in Reqs \ Solo : ProcOf[x] = p /\ x < r => st[x] # "idle"
  /\ st' = [st EXCEPT ![r] = "wait"] /\ lq' = [lq EXCEPT ![p] = Append(@, r)]
  /\ IF bst[p] # "none" THEN UNCHANGED <<blk, net>>
     ELSE /\ next[p] \in Blks /\ Renewed(p, next[p]) /\ net' = net \cup {Acq(next[p], {}, {})}
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, solo, owe, know, unsound, hist>>
ArriveSolo(r) ==
  /\ Up(ProcOf[r]) /\ st[r] = "idle" /\ r \in Solo
  /\ st' = [st EXCEPT ![r] = "wait"] /\ net' = net \cup {Acq(IdOf(r), {}, {})}
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, lq, blk, solo, owe, know, unsound, hist>>

\* an acquire that was not answered, or whose id an answer reported missing
Ask(x) ==
  /\ Up(P(x)) /\ Waiting(x) /\ x \notin joined /\ ~LiveFor(x)
  /\ net' = net \cup {Acq(x, {}, {})}
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>
\* ids are numbers, and the code knows its oldest; here it is the least
Recheck(p) ==
  LET S == {x \in joined : P(x) = p /\ Waiting(x)} IN
  /\ Up(p) /\ S # {} /\ FixAnswerLost
  /\ ~(\E c \in net : c.k = "chk" /\ c.p = p /\ c.live) /\ ~(\E q \in rep : q.p = p /\ q.res \in {"there", "missing"})
  /\ net' = net \cup {[k |-> "chk", p |-> p, e |-> {}, a |-> Min(S), m |-> {}, live |-> TRUE]}
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>
EndAgain(x) ==
  /\ x \in owe /\ Up(P(x)) /\ ~(\E c \in net : c.live /\ x \in c.e) /\ ~(\E q \in rep : x \in q.e)
  /\ net' = net \cup {End(x)}
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>

GiveUpIn(r) ==
  LET p == ProcOf[r] IN
  /\ Up(p) /\ st[r] = "wait" /\ r \in MayGiveUp \ Solo
  /\ st' = [st EXCEPT ![r] = "done"] /\ lq' = [lq EXCEPT ![p] = Without(@, {r})]
  /\ IF bst[p] # "ask" \/ lq'[p] # <<>> THEN UNCHANGED <<owe, blk, net>>
     ELSE /\ owe' = owe \cup {cur[p]} /\ net' = net \cup {End(cur[p])} /\ Renewed(p, None)
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, solo, know, unsound, hist>>
GiveUpSolo(r) ==
  /\ Up(ProcOf[r]) /\ st[r] = "wait" /\ r \in MayGiveUp \cap Solo
  /\ st' = [st EXCEPT ![r] = "done"]
  /\ owe' = owe \cup {IdOf(r)} /\ net' = net \cup {End(IdOf(r))} /\ Forget(IdOf(r))
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, lq, blk, solo, unsound, hist>>

Alive(p) == bep[p] > over

Pass(p) ==
  LET r == Head(lq[p])
      n == made[p] + 1
      ask == ~asked[p] /\ runs[p] < MaxRuns /\ 2 * n >= MinOf(Limit, res[p])
  IN
  /\ Up(p) /\ bst[p] = "held" /\ lq[p] # <<>> /\ Alive(p)
  /\ made[p] < MinOf(Limit, res[p])
  /\ st' = [st EXCEPT ![r] = "held", ![lh[p]] = "done"]
  /\ lh' = [lh EXCEPT ![p] = r] /\ lq' = [lq EXCEPT ![p] = Tail(@)]
  /\ made' = [made EXCEPT ![p] = n]
  /\ IF ask THEN /\ asked' = [asked EXCEPT ![p] = TRUE] /\ when' = [when EXCEPT ![p] = n]
                 /\ net' = net \cup {[k |-> "pro", p |-> p, e |-> {}, a |-> cur[p], m |-> {}, live |-> TRUE]}
            ELSE UNCHANGED <<asked, when, net>>
  /\ Starts(base[p] + n, cur[p])
  /\ byp' = [y \in Ids |-> IF y \in Range(queue) /\ Up(P(y)) /\ Waiting(y) THEN byp[y] + 1 ELSE byp[y]]
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, cur, bst, base, res, runs, next, bep, solo, owe, know, unsound>>

\* at a bound, by time, or without a local waiter
Unlock(p) ==
  LET x == cur[p]
      y == IF lq[p] = <<>> THEN None ELSE next[p] IN
  /\ Up(p) /\ bst[p] = "held" /\ Alive(p) /\ y \in Blks \cup {None}
  /\ ByTime \/ y = None \/ made[p] >= MinOf(Limit, res[p])
  /\ st' = [st EXCEPT ![lh[p]] = "done"]
  /\ owe' = owe \cup {x} /\ Renewed(p, y)
  /\ net' = net \cup {IF y = None THEN End(x) ELSE Acq(y, {x}, Marks(x))} /\ Forget(x)
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, lq, solo, unsound, hist>>
UnlockSolo(r) ==
  /\ Up(ProcOf[r]) /\ r \in Solo /\ st[r] = "held"
  /\ st' = [st EXCEPT ![r] = "done"]
  /\ owe' = owe \cup {IdOf(r)} /\ net' = net \cup {End(IdOf(r))} /\ unsound' = unsound \ {r}
  /\ sep' = [sep EXCEPT ![r] = 0] /\ Forget(IdOf(r))
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, lq, blk, hist>>

\* the end and the new acquire are two commands
Lose(p) ==
  LET x == cur[p]
      y == IF lq[p] = <<>> THEN None ELSE next[p] IN
  /\ y \in Blks \cup {None}
  /\ st' = [st EXCEPT ![lh[p]] = "done"] /\ unsound' = unsound \ {lh[p]}
  /\ owe' = owe \cup {x} /\ Renewed(p, y)
  /\ net' = net \cup {End(x)} \cup (IF y = None THEN {} ELSE {Acq(y, {}, {})})
Lost(p) ==
  /\ Up(p) /\ bst[p] = "held" /\ ~Alive(p) /\ Lose(p) /\ Forget(cur[p])
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, lq, solo, hist>>

\* x waits, and is granted with token t in epoch ep.  A grant whose end has passed is none, so the process asks again.
Take(x, t, ep, kept, sound) ==
  LET p == P(x) IN
  IF sound /\ ep <= over
  THEN UNCHANGED <<st, lq, blk, solo, unsound, hist>>
  ELSE /\ Starts(t, x) /\ byp' = byp
       /\ IF IsBlk(x)
          THEN LET r == Head(lq[p]) IN
               /\ st' = [st EXCEPT ![r] = "held"] /\ lq' = [lq EXCEPT ![p] = Tail(@)]
               /\ lh' = [lh EXCEPT ![p] = r] /\ bst' = [bst EXCEPT ![p] = "held"]
               /\ base' = [base EXCEPT ![p] = t] /\ res' = [res EXCEPT ![p] = kept]
               /\ bep' = [bep EXCEPT ![p] = ep]
               /\ unsound' = IF sound THEN unsound ELSE unsound \cup {r}
               /\ UNCHANGED <<cur, made, when, runs, asked, next, solo>>
          ELSE /\ st' = [st EXCEPT ![x - NB] = "held"]
               /\ sep' = [sep EXCEPT ![x - NB] = ep]
               /\ unsound' = IF sound THEN unsound ELSE unsound \cup {x - NB}
               /\ UNCHANGED <<lq, blk>>

Nothing == UNCHANGED <<st, lq, blk, solo, unsound, hist>>
LostSolo(r) ==
  /\ Up(ProcOf[r]) /\ r \in Solo /\ st[r] = "held" /\ sep[r] <= over
  /\ st' = [st EXCEPT ![r] = "done"] /\ owe' = owe \cup {IdOf(r)} /\ net' = net \cup {End(IdOf(r))}
  /\ unsound' = unsound \ {r} /\ sep' = [sep EXCEPT ![r] = 0] /\ Forget(IdOf(r))
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, lq, blk, hist>>

Deliver(m) ==
  LET x == m.b  p == P(x) IN
  /\ m \in inbox /\ Up(p) /\ p \in sub /\ inbox' = inbox \ {m}
  /\ IF Waiting(x) THEN
       /\ IF m.t <= mark[x] /\ FixStale THEN Nothing ELSE Take(x, m.t, m.ep, m.kept, m.t > from[x])
       /\ owe' = owe
     ELSE Nothing /\ owe' = IF Holding(x) THEN owe ELSE owe \cup {x}
  /\ UNCHANGED <<redis, sub, net, rep, over, crashed, b, know>>

\* the answer to an end, or to a recheck, may tell another of the process
Told(q) ==
  IF q.tell = <<>> THEN Nothing
  ELSE LET x == q.tell[1]  t == q.tell[2]  ep == q.tell[3]  kept == q.tell[4]
           chk == q.res \in {"there", "missing"} IN
       IF ~Waiting(x) \/ (t <= mark[x] /\ FixStale) THEN Nothing
       ELSE IF chk THEN Take(x, t, ep, kept, t > from[x] /\ FixMineStart)
       ELSE Take(x, t, ep, kept, FixTellOwn \/ ep # 0)
Handle(q) ==
  LET x == q.a  o == owe \ q.e
      w == IF q.tell = <<>> THEN None ELSE q.tell[1]
      p == P(x) IN
  /\ q \in rep /\ Up(q.p) /\ rep' = rep \ {q}
  /\ IF q.res \in {"prolonged", "wanted", "nothing"} THEN
       LET same == (cur[q.p] = x \/ ~FixProBlock) /\ bst[q.p] = "held" IN
       /\ IF same /\ q.res = "nothing" THEN Lose(q.p) /\ UNCHANGED <<lq, solo, hist>>
          ELSE IF same /\ ~Alive(q.p) /\ FixProAlive THEN Nothing /\ UNCHANGED <<owe, net>>      \* Lost comes
          ELSE IF same /\ q.res = "prolonged" THEN
            /\ base' = [base EXCEPT ![q.p] = q.t] /\ res' = [res EXCEPT ![q.p] = Limit]
            /\ made' = [made EXCEPT ![q.p] = IF FixProMade THEN @ - when[q.p] ELSE 0]
            /\ runs' = [runs EXCEPT ![q.p] = @ + 1] /\ asked' = [asked EXCEPT ![q.p] = FALSE]
            /\ bep' = [bep EXCEPT ![q.p] = q.ep]
            /\ UNCHANGED <<cur, bst, when, next, lh, st, lq, solo, unsound, hist, owe, net>>
          ELSE IF same /\ q.res = "wanted" /\ ~FixProLease THEN
            /\ unsound' = unsound \cup {lh[q.p]}
            /\ UNCHANGED <<st, lq, blk, solo, hist, owe, net>>
          ELSE Nothing /\ UNCHANGED <<owe, net>>
       /\ UNCHANGED know
     ELSE IF q.res \in {"there", "missing"} THEN
       /\ Told(q)
       /\ owe' = IF w # None /\ ~Waiting(w) /\ ~Holding(w) THEN owe \cup {w} ELSE owe
       /\ joined' = IF q.res = "missing" THEN joined \ {x} ELSE joined
       /\ mark' = [y \in Ids |-> IF P(y) = q.p /\ Waiting(y) /\ y # w THEN Max(mark[y], q.t) ELSE mark[y]]
       /\ from' = [y \in Ids |-> IF P(y) = q.p /\ Waiting(y) /\ y # w THEN Max(from[y], q.f) ELSE from[y]]
       /\ UNCHANGED <<net, unans>>
     ELSE IF x = None THEN
       /\ Told(q)
       /\ owe' = IF w # None /\ ~Waiting(w) /\ ~Holding(w) THEN o \cup {w} ELSE o
       /\ UNCHANGED <<net, know>>
     ELSE IF Waiting(x) /\ q.res = "granted" THEN
       /\ owe' = o
       /\ Take(x, q.t, q.ep, q.kept, TRUE)
       /\ UNCHANGED <<net, know>>
     ELSE IF Waiting(x) /\ q.res = "busy" THEN
       /\ owe' = o
       /\ joined' = joined \cup {x} /\ mark' = [mark EXCEPT ![x] = Max(@, q.t)]
       /\ from' = [from EXCEPT ![x] = Max(@, q.f)]
       /\ Nothing /\ UNCHANGED <<net, unans>>
     ELSE
       \* an id that holds is left to its clock; the code declares it lost at a later busy answer
       /\ Nothing /\ UNCHANGED <<net, know>>
       /\ owe' = IF ~Waiting(x) /\ ~Holding(x) /\ q.res # "over" THEN o \cup {x} ELSE o
  /\ UNCHANGED <<redis, sub, inbox, over, crashed, b>>

-----------------------------------------------------------------------------
(* The world.                                                              *)

Timeout(c) ==
  /\ c \in net /\ c.live /\ Up(c.p) /\ Spend("timeout")
  /\ net' = (net \ {c}) \cup {[c EXCEPT !.live = FALSE]}
  /\ unans' = IF c.k = "turn" THEN unans \cup ({c.a} \ {None}) ELSE unans
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, st, lq, blk, solo, owe, joined, mark, from, unsound, hist>>
LoseReply(q) ==
  /\ q \in rep /\ Spend("timeout") /\ rep' = rep \ {q}
  /\ unans' = IF q.res \in {"granted", "busy", "over"} THEN unans \cup ({q.a} \ {None}) ELSE unans
  /\ UNCHANGED <<redis, sub, inbox, net, over, crashed, st, lq, blk, solo, owe, joined, mark, from, unsound, hist>>
LoseCmd(c) ==
  /\ c \in net /\ ~c.live /\ net' = net \ {c}
  /\ UNCHANGED <<redis, sub, inbox, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>
Drop(m) ==
  /\ m \in inbox /\ inbox' = inbox \ {m}
  /\ IF P(m.b) \notin sub \/ ~Up(P(m.b)) THEN b' = b ELSE Spend("drop")
  /\ UNCHANGED <<redis, sub, net, rep, over, crashed, st, lq, blk, solo, owe, know, unsound, hist>>
SubDown(p) ==
  /\ p \in sub /\ sub' = sub \ {p}
  /\ IF ~Up(p) THEN b' = b ELSE Spend("sub")
  /\ UNCHANGED <<redis, inbox, net, rep, over, crashed, st, lq, blk, solo, owe, know, unsound, hist>>
SubUp(p) ==
  /\ p \notin sub /\ Up(p) /\ sub' = sub \cup {p}
  /\ UNCHANGED <<redis, inbox, net, rep, over, crashed, b, st, lq, blk, solo, owe, know, unsound, hist>>
Crash(p) ==
  /\ Up(p) /\ Spend("crash") /\ crashed' = crashed \cup {p}
  /\ rep' = {q \in rep : q.p # p}
  /\ net' = {[c EXCEPT !.live = c.live /\ c.p # p] : c \in net}
  /\ UNCHANGED <<redis, sub, inbox, over, st, lq, blk, solo, owe, know, unsound, hist>>

Next ==
  \/ \E c \in net : Exec(c) \/ ExecPro(c) \/ ExecCheck(c) \/ Timeout(c) \/ LoseCmd(c)
  \/ \E q \in rep : Handle(q) \/ LoseReply(q)
  \/ \E m \in inbox : Deliver(m) \/ Drop(m)
  \/ \E r \in Reqs : ArriveIn(r) \/ ArriveSolo(r) \/ GiveUpIn(r) \/ GiveUpSolo(r) \/ UnlockSolo(r) \/ LostSolo(r)
  \/ \E x \in Ids : Ask(x) \/ EndAgain(x)
  \/ \E p \in Procs : Recheck(p) \/ Pass(p) \/ Unlock(p) \/ Lost(p) \/ Purge(p) \/ SubDown(p) \/ SubUp(p) \/ Crash(p)
  \/ LocalEnd \/ Expire

\* Fairness is per id: commands of one id do not put off those of another for ever.
About(c, x) == c.a = x \/ x \in c.e
Fairness ==
  /\ \A x \in Ids : /\ WF_vars(Ask(x)) /\ WF_vars(EndAgain(x))
                    /\ WF_vars(\E c \in net : c.live /\ About(c, x) /\ (Exec(c) \/ ExecPro(c) \/ ExecCheck(c)))
                    /\ WF_vars(\E c \in net : ~c.live /\ About(c, x) /\ (Exec(c) \/ ExecPro(c) \/ ExecCheck(c) \/ LoseCmd(c)))
                    /\ WF_vars(\E q \in rep : About(q, x) /\ Handle(q))
                    /\ WF_vars(\E m \in inbox : m.b = x /\ (Deliver(m) \/ (~Up(P(x)) /\ Drop(m))))
  /\ \A r \in Solo : WF_vars(UnlockSolo(r)) /\ WF_vars(LostSolo(r))
  /\ \A p \in Procs : /\ WF_vars(Recheck(p)) /\ WF_vars(Unlock(p)) /\ WF_vars(Lost(p)) /\ WF_vars(Purge(p))
                      /\ WF_vars(SubUp(p)) /\ WF_vars(~Up(p) /\ SubDown(p))
  /\ WF_vars(LocalEnd /\ UNCHANGED b) /\ WF_vars(Expire)
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness

-----------------------------------------------------------------------------
(* Properties.                                                             *)

Believes(r) == /\ Up(ProcOf[r]) /\ st[r] = "held"
               /\ r \in unsound \/ (IF r \in Solo THEN sep[r] > over ELSE bep[ProcOf[r]] > over)
ById(r) == IF r \in Solo THEN IdOf(r) ELSE cur[ProcOf[r]]

TypeOk == /\ holder \in Ids \cup {None} /\ Range(queue) \subseteq Ids
          /\ Cardinality(Range(queue)) = Len(queue) /\ holder \notin Range(queue)
          /\ \A p \in Procs : /\ bst[p] = "ask" => lq[p] # <<>>
                              /\ bst[p] = "held" <=> lh[p] # None
Mutex == \A r, s \in Reqs : Believes(r) /\ Believes(s) => r = s
BeliefIsTrue == \A r \in Reqs : Believes(r) => holder = ById(r)
TokenMonotone == "token" \notin bad
\* While a live id waits in Redis, each other cohort makes at most as many passes as one block may.
Bypass == BSub = 0 => \A x \in Ids : byp[x] <= (IF IsBlk(x) THEN NP - 1 ELSE NP) * Limit
\* Without a fault, an answer or a message is about to notify the holder.
NoFault == crashed = {} /\ sub = Procs /\ b = [timeout |-> BTimeout, drop |-> BDrop, sub |-> BSub, early |-> BEarly, crash |-> BCrash]
Told1 == NoFault /\ holder # None /\ hep > over /\ Waiting(holder) =>
           \/ \E m \in inbox : m.b = holder
           \/ \E q \in rep : (q.a = holder /\ q.res = "granted") \/ (q.tell # <<>> /\ q.tell[1] = holder)

Quiet == net = {} /\ rep = {} /\ inbox = {}
Ghost(x) == Up(P(x)) /\ ~Waiting(x) /\ ~Holding(x) /\ x \notin owe
NoGhostHolder == ~(holder # None /\ hep > over /\ Quiet /\ Ghost(holder))
NoGhostWaiter == ~(Quiet /\ \E x \in Range(queue) : Ghost(x))
BoundNotHit == fence < MaxTok

NoLostWaiter == \A r \in Reqs : (st[r] = "wait" /\ Up(ProcOf[r])) ~> (st[r] # "wait" \/ ~Up(ProcOf[r]))
AllOver == \A r \in Reqs : ~Up(ProcOf[r]) \/ st[r] = "done"
EventuallyClean == AllOver ~> (holder = None /\ queue = <<>>)

\* The processes of the requests, for the .cfg, which cannot write a sequence: ProcOf <- Of31.
Of11 == <<1, 1>>
Of12 == <<1, 2>>
Of21 == <<1, 1, 2>>
Of121 == <<1, 2, 1>>
Of31 == <<1, 1, 1, 2>>
Of41 == <<1, 1, 1, 1, 2>>
Of51 == <<1, 1, 1, 1, 1, 2>>
=============================================================================
