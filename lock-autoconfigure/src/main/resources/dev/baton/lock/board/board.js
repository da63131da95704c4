"use strict";
(() => {
  const POLL_MILLIS = 1000, TIMEOUT_MILLIS = 15000, SHOWN_WAITERS = 5, LATE = 0.2;
  const base = location.pathname.replace(/\/+$/, "");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const $ = id => document.getElementById(id);
  const rows = new Map();      // the row of each lock in the table, by the id of the lock
  const opened = new Set();    // the ids of the locks whose whole queue is shown
  const leases = new Map();    // the assumed length of each lease, by its token
  let board = null;            // the last answer of the server
  let at = 0;                  // the time of that answer, by performance.now()
  let failed = null;           // the reason if the server did not answer
  let paused = false, asking = false, timer = 0, chosen = null, instance = null;

  // The page inserts text as text only, never as HTML.
  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }
  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }
  function span(millis) {
    if (millis < 1) return millis > 0 ? millis.toFixed(2) + " ms" : "0 s";
    if (millis < 1000) return Math.round(millis) + " ms";
    const s = millis / 1000;
    if (s < 60) return s.toFixed(1) + " s";
    if (s < 3600) return Math.floor(s / 60) + " min " + Math.floor(s % 60) + " s";
    return Math.floor(s / 3600) + " h " + Math.floor(s % 3600 / 60) + " min";
  }
  function count(n, one, many) { return n + " " + (n === 1 ? one : many); }

  // ---- requests to the server

  async function ask() {
    clearTimeout(timer);
    if (asking) return;
    asking = true;
    const stop = new AbortController();
    const bound = setTimeout(() => stop.abort(), TIMEOUT_MILLIS);
    try {
      const answer = await fetch(base + "/api/locks", {
        headers: { "Accept": "application/json" }, cache: "no-store", redirect: "manual", signal: stop.signal });
      if (answer.type === "opaqueredirect" || answer.status === 401 || answer.status === 403) {
        throw new Error("The application requires a login; reload the page");
      }
      if (!answer.ok) throw new Error("The application answers with status " + answer.status);
      board = await answer.json();
      at = performance.now();
      failed = null;
    } catch (error) {
      failed = error.name === "AbortError" ? "No answer within " + span(TIMEOUT_MILLIS)
          : error instanceof TypeError ? "The page cannot reach the application" : error.message;
    } finally {
      clearTimeout(bound);
      asking = false;
    }
    show();
    next();
  }
  function next() {
    clearTimeout(timer);
    if (!paused && !document.hidden) timer = setTimeout(ask, POLL_MILLIS);
  }

  // ---- rendering

  function show() {
    showState();
    if (board) {
      showDeadlocks();
      showNumbers();
      showRows();
      showCharts();
    }
    tick();
  }

  function showState() {
    const down = failed || board && board.problem;
    const state = paused ? "paused" : down ? "down" : board ? "live" : "starting";
    document.querySelector(".state").dataset.state = state;
    put($("state-text"), { paused: "paused", down: failed ? "no data" : "Redis down", live: "live", starting: "loading …" }[state]);
    $("table").classList.toggle("stale", Boolean(failed));
    banner("problem", failed ? ["No data from this application", failed + ". " + (board ? "Below is its last answer." : "")]
        : board && board.problem ? ["Redis is unavailable", board.problem
            + ". No lock is granted, and held leases are lost when they end."
            + " Below are the locks that this process knows without Redis."] : null);
    let notice = null;
    if (board && !failed) {
      if (instance && instance !== board.instance) {
        notice = ["Another process answers now",
          "The charts show that process. Behind a load balancer, open the board of a single process."];
      } else if (!board.problem && !board.listening) {
        notice = ["This process receives no messages about grants at present",
          "Its subscription is interrupted. Its waiters ask Redis once per recheck."];
      } else if (!board.problem && !board.complete) {
        notice = ["The board has not scanned all keys of Redis",
          "Locks of other processes may be missing. The locks of this process are shown."];
      }
      instance = instance || board.instance;
    }
    banner("notice", notice);
  }
  function banner(id, lines) {
    const element = $(id);
    element.hidden = !lines;
    const text = lines ? lines.join("\n") : "";
    if (element.dataset.text === text) return;    // so that a screen reader reads an alert only once
    element.dataset.text = text;
    element.replaceChildren();
    if (lines) element.append(make("strong", "", lines[0]), make("span", "", lines[1]));
  }

  function showDeadlocks() {
    const element = $("deadlock"), text = JSON.stringify(board.deadlocks);
    element.hidden = board.deadlocks.length === 0;
    if (element.dataset.text === text) return;
    element.dataset.text = text;
    element.replaceChildren();
    for (const circle of board.deadlocks) {
      element.append(make("strong", "",
        "Deadlock: " + circle.length + " requests wait for each other, and none continues before one gives up"));
      const list = make("ol");
      for (const member of circle) {
        list.append(make("li", "", member.label + " holds " + member.holds + " and waits for " + member.waitsFor));
      }
      element.append(list);
    }
  }

  function showNumbers() {
    const held = board.locks.filter(lock => lock.holder);
    const hidden = board.hidden > 0 ? "≥ " : "";
    put($("n-held"), hidden + held.length);
    put($("n-waiting"), hidden + board.locks.reduce((sum, lock) => sum + lock.waiting, 0));
    put($("n-longest"), held.length ? span(Math.max(...held.map(lock => lock.holder.heldMillis))) : "–");
    const waits = board.locks.flatMap(lock => lock.queue.map(waiter => waiter.waitedMillis));
    put($("n-waited"), waits.length ? span(Math.max(...waits)) : "–");
  }

  const orders = {
    waiting: (a, b) => b.waiting - a.waiting || held(b) - held(a),
    held: (a, b) => held(b) - held(a),
    ends: (a, b) => left(a) - left(b),
    name: (a, b) => a.name.localeCompare(b.name)
  };
  function held(lock) { return lock.holder ? lock.holder.heldMillis : -1; }
  function left(lock) { return lock.holder && lock.holder.remainingMillis >= 0 ? lock.holder.remainingMillis : Infinity; }
  function fits(lock, text) {
    return !text || [lock.namespace, lock.name, lock.holder ? lock.holder.label : "", ...lock.queue.map(waiter => waiter.label)]
      .some(part => part.toLowerCase().includes(text));
  }

  function showRows() {
    const text = $("filter").value.trim().toLowerCase();
    const shown = board.locks.filter(lock => fits(lock, text)).sort(orders[$("order").value]);
    $("table").classList.toggle("permitted", board.forceRelease);
    $("table").hidden = shown.length === 0;
    $("empty").hidden = shown.length > 0;
    put($("empty"), board.locks.length ? "No lock matches the filter."
        : board.problem ? "This process holds no lock and waits for none."
        : "No lock is held, and no request waits.");
    $("more").hidden = board.hidden === 0;
    put($("more"), count(board.hidden, "more lock", "more locks") + " with shorter queues");
    const focus = document.activeElement;
    const present = new Set(shown.map(lock => lock.id));
    for (const [id, row] of rows) {
      if (!present.has(id)) { row.remove(); rows.delete(id); opened.delete(id); }
    }
    shown.forEach((lock, i) => {
      let row = rows.get(lock.id);
      if (!row) { row = newRow(lock.id); rows.set(lock.id, row); }
      fill(row, lock);
      if ($("rows").children[i] !== row) $("rows").insertBefore(row, $("rows").children[i] || null);
    });
    if (focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
    const tokens = new Set(board.locks.map(lock => lock.holder && lock.holder.token));
    for (const token of leases.keys()) if (!tokens.has(token)) leases.delete(token);
  }

  function newRow(id) {
    const row = make("tr");
    row.setAttribute("role", "row");
    row.dataset.id = id;
    const cell = name => { const td = make("td", name); td.setAttribute("role", "cell"); row.append(td); return td; };
    const lock = cell("lock");
    lock.append(make("span", "name"), make("span", "tag"), make("div", "small permits"));
    const holder = cell("holder");
    holder.append(make("span", "label"), make("span", "tag", "this process"), make("div", "small held"));
    const lease = cell("age");
    const bar = make("div", "lease");
    bar.setAttribute("role", "progressbar");
    bar.setAttribute("aria-label", "elapsed share of the lease");
    bar.setAttribute("aria-valuemin", "0");
    bar.setAttribute("aria-valuemax", "100");
    bar.append(make("div"));
    lease.append(bar, make("div", "small left"));
    const queue = cell("queue-cell");
    const all = make("button", "link");
    all.type = "button";
    all.addEventListener("click", () => { opened.has(id) ? opened.delete(id) : opened.add(id); showRows(); tick(); });
    queue.append(make("span", "length"), make("ol", "queue"), all, make("div", "small conditions"));
    const release = make("button", "danger release", "Force-release …");
    release.type = "button";
    release.addEventListener("click", () => choose(id));
    cell("act").append(release);
    return row;
  }

  function fill(row, lock) {
    const find = name => row.querySelector(name);
    put(find(".lock .name"), lock.name);
    put(find(".lock .tag"), lock.namespace);
    find(".lock .tag").hidden = !lock.namespace;
    put(find(".permits"), lock.permits ? permits(lock.permits) : "");
    const holder = lock.holder;
    put(find(".holder .label"), holder ? holder.label : board.problem ? "unknown" : "no holder");
    find(".holder .tag").hidden = !(holder && holder.here);
    find(".release").hidden = !holder || Boolean(board.problem);
    find(".release").setAttribute("aria-label", "Force-release " + lock.name);
    find(".lease").hidden = !holder || holder.remainingMillis < 0;
    if (holder && holder.remainingMillis >= 0) measure(holder);
    find(".length").classList.toggle("quiet", lock.waiting === 0);
    put(find(".length"), lock.waiting === 0 ? "no waiters" : count(lock.waiting, "waiter", "waiters"));
    put(find(".conditions"), lock.conditions.map(one =>
      count(one.waiting, "waiter", "waiters") + " of this process at condition " + one.name).join(", "));
    showQueue(find(".queue"), lock, opened.has(lock.id) ? lock.queue.length : SHOWN_WAITERS);
    const all = find(".link");
    all.hidden = lock.queue.length <= SHOWN_WAITERS;
    all.setAttribute("aria-expanded", String(opened.has(lock.id)));
    put(all, opened.has(lock.id) ? "show fewer"
        : lock.waiting > lock.queue.length ? "show the first " + lock.queue.length : "show all " + lock.waiting);
  }
  function permits(one) {
    if (one.used < 0) return "a semaphore of " + one.size;
    return one.used + (one.size < 0 ? " permits in use" : " of " + count(one.size, "permit", "permits") + " in use");
  }
  // Redis knows when a lease ends, but not how long it is. Until the page sees a renewal, the length is the time from the grant to the
  // end, or the default lease if the hold is longer than that. After a renewal, it is the longest remaining time that the page has seen.
  function measure(holder) {
    const end = holder.heldMillis + holder.remainingMillis, lease = leases.get(holder.token);
    if (!lease) {
      leases.set(holder.token, { end, length: Math.min(end, Math.max(board.leaseMillis, holder.remainingMillis)), renewed: false });
    } else if (!lease.renewed && end > lease.end + 200) {
      leases.set(holder.token, { end, length: holder.remainingMillis, renewed: true });
    } else {
      lease.length = Math.max(lease.length, holder.remainingMillis);
    }
  }
  function showQueue(list, lock, most) {
    const waiters = lock.queue.slice(0, most);
    while (list.children.length > waiters.length) list.lastChild.remove();
    while (list.children.length < waiters.length) {
      const item = make("li");
      item.append(make("span", "label"), make("span", "small"));
      list.append(item);
    }
    waiters.forEach((waiter, i) => put(list.children[i].firstChild, waiter.label));
  }

  // Advances all times between two answers of the server.
  function tick() {
    if (!board) return;
    const since = failed || paused ? 0 : performance.now() - at;
    for (const lock of board.locks) {
      const row = rows.get(lock.id);
      if (!row) continue;
      const holder = lock.holder;
      put(row.querySelector(".holder .held"), holder ? "for " + span(holder.heldMillis + since) : "");
      const bar = row.querySelector(".lease"), text = row.querySelector(".left");
      if (holder && holder.remainingMillis >= 0) {
        const rest = Math.max(0, holder.remainingMillis - since);
        const over = Math.min(1, Math.max(0, 1 - rest / leases.get(holder.token).length));
        bar.firstChild.style.width = (over * 100).toFixed(1) + "%";
        bar.setAttribute("aria-valuenow", String(Math.round(over * 100)));
        row.classList.toggle("late", 1 - over <= LATE);
        put(text, rest > 0 ? span(rest) + " left" : "lease has ended");
      } else {
        row.classList.remove("late");
        put(text, holder ? "end of the lease unknown" : "");
      }
      const items = row.querySelector(".queue").children;
      for (let i = 0; i < items.length; i++) put(items[i].lastChild, span(lock.queue[i].waitedMillis + since));
    }
  }
  function animate() {
    if (!paused && !document.hidden && !calm.matches) tick();
    setTimeout(() => requestAnimationFrame(animate), 100);
  }

  // ---- charts: a slice is [granted, timed out, lost, handed over here, handed over to other processes, p50, p95, longest]

  function showCharts() {
    const slices = board.slices, seconds = board.sliceMillis / 1000;
    chart("handovers", [
      ["to a waiter of this process", slices.map(slice => slice[3] / seconds)],
      ["to another process", slices.map(slice => slice[4] / seconds)]
    ], value => value.toFixed(value && value < 10 ? 1 : 0), "per second");
    chart("waits", [
      ["median", slices.map(slice => slice[5])],
      ["95th percentile", slices.map(slice => slice[6])]
    ], span, "");
    const sum = i => slices.reduce((all, slice) => all + slice[i], 0);
    put($("totals"), "In the last five minutes: " + count(sum(0), "lock", "locks") + " granted, " + count(sum(1), "request", "requests")
        + " timed out, " + count(sum(2), "lease", "leases") + " lost. The longest wait was "
        + span(Math.max(...slices.map(slice => slice[7]))) + ".");
    document.querySelector(".charts").classList.toggle("stale-charts", Boolean(failed));
  }

  const SVG = "http://www.w3.org/2000/svg";
  function draw(parent, tag, attributes, text) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }
  function nice(value) {
    const power = Math.pow(10, Math.floor(Math.log10(value)));
    return [1, 2, 5, 10].map(step => step * power).find(step => step >= value * 0.999);
  }
  function chart(id, series, text, unit) {
    const box = $(id), width = box.clientWidth || 600, height = box.clientHeight || 170;
    const left = 58, right = 8, top = 8, bottom = 22;
    const most = nice(Math.max(...series.flatMap(([, values]) => values), 1));
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", series.map(([name, values]) =>
      name + ": now " + text(values[values.length - 1]) + ", at most " + text(Math.max(...values)) + (unit ? " " + unit : "")).join("; "));
    const x = (i, n) => left + (width - left - right) * i / (n - 1);
    const y = value => height - bottom - (height - top - bottom) * value / most;
    for (const part of [0, 0.5, 1]) {
      draw(svg, "line", { x1: left, x2: width - right, y1: y(most * part), y2: y(most * part), class: "grid" });
      draw(svg, "text", { x: left - 7, y: y(most * part) + 4, "text-anchor": "end" }, text(most * part));
    }
    draw(svg, "text", { x: left, y: height - 5 }, "5 min ago");
    draw(svg, "text", { x: width - right, y: height - 5, "text-anchor": "end" }, "now");
    series.forEach(([, values], s) => draw(svg, "polyline", {
      class: "series s" + s, points: values.map((value, i) => x(i, values.length).toFixed(1) + "," + y(value).toFixed(1)).join(" ") }));
    box.replaceChildren(svg);
    legend(id + "-legend", series, text);
  }
  function legend(id, series, text) {
    const list = $(id);
    if (list.children.length === 0) {
      series.forEach((one, s) => {
        const item = make("li"), svg = draw(item, "svg", { viewBox: "0 0 26 8", "aria-hidden": "true" });
        draw(svg, "line", { x1: 1, x2: 25, y1: 4, y2: 4, class: "series s" + s });
        item.append(make("span"));
        list.append(item);
      });
    }
    series.forEach(([name, values], s) => put(list.children[s].lastChild, name + " " + text(values[values.length - 1])));
  }

  // ---- force-release

  function choose(id) {
    const lock = board.locks.find(one => one.id === id);
    if (!lock || !lock.holder) return;
    chosen = { id, token: lock.holder.token };
    put($("confirm-name"), lock.name);
    put($("confirm-text"), lock.permits
      ? "All holders of permits are notified that their leases are lost. Their work is not stopped. "
        + (lock.waiting ? "The permits are then granted to the first in their queue of " + lock.waiting + "."
          : "No request waits for permits.")
      : lock.holder.label + " holds this lock and is notified that its lease is lost. Its work is not stopped. "
        + (lock.waiting ? "The lock is then granted to the first in its queue of " + lock.waiting + "."
          : "No request waits for this lock."));
    $("confirm-error").hidden = true;
    $("confirm-yes").disabled = false;
    $("confirm").showModal();
  }
  async function take() {
    $("confirm-yes").disabled = true;
    let message;
    try {
      const answer = await fetch(base + "/api/force-release", {
        method: "POST", headers: { "X-Baton-Board": "1" }, redirect: "manual", body: new URLSearchParams(chosen) });
      if (answer.ok) { $("confirm").close(); ask(); return; }
      const body = await answer.json().catch(() => null);
      message = body && body.message ? body.message
          : "Refused with status " + answer.status + ". A filter of the application may require a token: see docs/board.md.";
    } catch (error) {
      message = "Unknown whether the lock was released: the application does not answer.";
    }
    put($("confirm-error"), message);
    $("confirm-error").hidden = false;
    $("confirm-yes").disabled = false;
  }

  // ---- actions of the user

  $("confirm-no").addEventListener("click", () => $("confirm").close());
  $("confirm-yes").addEventListener("click", take);
  $("confirm").addEventListener("close", () => {
    const row = chosen && rows.get(chosen.id), button = row && row.querySelector(".release");
    (button && !button.hidden ? button : $("locks")).focus({ preventScroll: true });
  });
  $("pause").addEventListener("click", () => {
    paused = !paused;
    $("pause").setAttribute("aria-pressed", String(paused));
    put($("pause"), paused ? "Resume" : "Pause");
    if (paused) { clearTimeout(timer); showState(); } else ask();
  });
  $("filter").addEventListener("input", () => { if (board) { showRows(); tick(); } });
  $("order").addEventListener("change", () => { if (board) { showRows(); tick(); } });
  addEventListener("resize", () => { if (board) showCharts(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !paused) ask(); });
  animate();
  ask();
})();
