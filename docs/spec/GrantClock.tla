----------------------------- MODULE GrantClock -----------------------------
(***************************************************************************)
(* The clock rules, with numbers: when a lease ends by the client's clock, *)
(* and the fencing token. One lock and two clients. Client 1 holds first.  *)
(* Client 2 waits, is granted the lock, renews, and may be paused. `now` is*)
(* real time. The monotonic clocks of the clients run at its rate, so an   *)
(* offset between them cancels out. Redis's clock is now + off. Step moves *)
(* it: an operator sets the date, or a fail-over changes the node. An      *)
(* expiry is absolute on Redis's clock, as PEXPIREAT is.                   *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
  Lease, MaxT,
  Steps,          \* how often Redis's clock may step
  Fwd, Back,      \* by how much, either way (0: not that way)
  StepLate,       \* TRUE: also when client 2 has its lease; no client can survive that
  Memory,         \* FALSE: client 1 is another process each time, which has seen no token
  LastBusy,       \* the rule: the end is the send time of the last acquire that was answered busy, plus the lease
  Grants,         \* how often client 1 acquires; fewer than there are tokens in a tick
  MinReceipt,     \* another rule: the end is at most the receipt plus the lease
  Tombstone       \* the last token outlives the lock, as the fence does

Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b

VARIABLES now, off, steps,
  holder, exp, tok, last,   \* lock key: 0 = none; expiry on Redis's clock; token; remembered token
  t0, T,                    \* client 2: send time and Redis time of its own acquire (-1: none yet)
  G, end,                   \* stamp of the grant under way (-1: none); client's end (-1: does not hold)
  rn,                       \* renewal under way: -1 or its send time
  rx,                       \* renewal that has run: -1 or its send time
  seen,                     \* highest token each client has seen
  top, bad, n               \* n: acquisitions of client 1
vars == <<now, off, steps, holder, exp, tok, last, t0, T, G, end, rn, rx, seen, top, bad, n>>

R == now + off
Alive == holder # 0 /\ R < exp
\* microseconds: a tick of the model is many tokens wide, two grants in one tick differ
Stamp == 10 * R
NewTok(c) == LET known == IF Alive THEN tok ELSE IF Tombstone THEN last ELSE 0
             IN Max(Stamp, Max(known + 1, seen[c] + 1))

Init == /\ now = 0 /\ off = 10 /\ steps = 0 /\ holder = 0 /\ exp = 0 /\ tok = 0 /\ last = 0
        /\ t0 = -1 /\ T = -1 /\ G = -1 /\ end = -1 /\ rn = -1 /\ rx = -1
        /\ seen = [c \in {1, 2} |-> 0] /\ top = 0 /\ bad = {} /\ n = 0

Tick == now < MaxT /\ now' = now + 1 /\ UNCHANGED <<off, steps, holder, exp, tok, last, t0, T, G, end, rn, rx, seen, top, bad, n>>
Step == \E j \in {Fwd, 0 - Back} \ {0} : /\ steps < Steps /\ (StepLate \/ holder # 2) /\ steps' = steps + 1 /\ off' = off + j
          /\ UNCHANGED <<now, holder, exp, tok, last, t0, T, G, end, rn, rx, seen, top, bad, n>>

Write(c, t) == /\ holder' = c /\ exp' = R + Lease /\ tok' = t /\ last' = t /\ top' = Max(top, t)
               /\ bad' = bad \cup (IF t <= top THEN {"token"} ELSE {})
                             \cup (IF c = 1 /\ end > now THEN {"overlap"} ELSE {})

Acquire1 == /\ Memory \/ R # last \div 10     \* no two grants in one microsecond
            /\ ~Alive /\ n < Grants /\ n' = n + 1
            /\ LET t == NewTok(1) IN Write(1, t) /\ seen' = [seen EXCEPT ![1] = IF Memory THEN t ELSE 0]
            /\ UNCHANGED <<now, off, steps, t0, T, G, end, rn, rx>>
Release1 == /\ Alive /\ holder = 1
            /\ IF T >= 0 /\ G < 0 /\ end < 0
               THEN Write(2, NewTok(2)) /\ G' = R      \* handed over; stamped by Redis
               ELSE holder' = 0 /\ UNCHANGED <<exp, tok, last, top, bad, G>>
            /\ UNCHANGED <<now, off, steps, t0, T, end, rn, rx, seen, n>>
Send2 == t0 < 0 /\ t0' = now /\ UNCHANGED <<now, off, steps, holder, exp, tok, last, T, G, end, rn, rx, seen, top, bad, n>>
Run2  == /\ t0 >= 0 /\ T < 0 /\ Alive /\ holder = 1 /\ T' = R   \* busy: queued; the reply carries TIME
         /\ UNCHANGED <<now, off, steps, holder, exp, tok, last, t0, G, end, rn, rx, seen, top, bad, n>>
Hear2 == \* the message, as late as it likes
  /\ G >= 0 /\ end < 0
  /\ LET e == t0 + (G - T) + Lease
         f == IF LastBusy THEN t0 + Lease ELSE IF MinReceipt THEN Min(e, now + Lease) ELSE e
     IN IF f > now THEN end' = f /\ seen' = [seen EXCEPT ![2] = Max(@, tok)] ELSE UNCHANGED <<end, seen>>
  /\ G' = -1
  /\ UNCHANGED <<now, off, steps, holder, exp, tok, last, t0, T, rn, rx, top, bad, n>>
Renew2 == end > now /\ rn < 0 /\ rx < 0 /\ rn' = now /\ UNCHANGED <<now, off, steps, holder, exp, tok, last, t0, T, G, end, rx, seen, top, bad, n>>
RunRenew2 == /\ rn >= 0 /\ rn' = -1
             /\ IF Alive /\ holder = 2 THEN exp' = R + Lease /\ rx' = rn ELSE UNCHANGED <<exp, rx>>
             /\ UNCHANGED <<now, off, steps, holder, tok, last, t0, T, G, end, seen, top, bad, n>>
HearRenew2 == /\ rx >= 0 /\ rx' = -1
              /\ end' = IF end > now THEN Max(end, rx + Lease) ELSE end
              /\ UNCHANGED <<now, off, steps, holder, exp, tok, last, t0, T, G, rn, seen, top, bad, n>>

Next == Tick \/ Step \/ Acquire1 \/ Release1 \/ Send2 \/ Run2 \/ Hear2 \/ Renew2 \/ RunRenew2 \/ HearRenew2
Spec == Init /\ [][Next]_vars

\* While client 2 believes that it holds the lock, Redis has its lease.
BeliefIsTrue == end > now => Alive /\ holder = 2
NoOverlap == "overlap" \notin bad
TokensGrow == "token" \notin bad
=============================================================================
