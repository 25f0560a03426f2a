import { expect, it } from "vitest";
import { fakeTrace } from "../panels/fixture";
import type { Answers, QueryOf } from "../session/client";
import type { Query } from "../session/wire";
import { goToTime, step } from "./navigation";

it("queues fast steps", async () => {
  const trace = fakeTrace();
  const from: number[] = [];
  trace.client.query = async <A extends Query["query"]>(asking: QueryOf<A>) => {
    const query: Query = asking;
    if (query.query !== "step") throw new Error("expected step queries only");
    from.push(query.from);
    await new Promise((done) => setTimeout(done, 1));
    const event = query.from + 10;
    return { event, time: event, context: 1, kind: 7 } as unknown as Answers[A];
  };
  trace.selected.value = { event: 5, time: 5, context: 1, kind: 7 };
  await Promise.all([step(trace, "next"), step(trace, "next"), step(trace, "next")]);
  expect(from).toEqual([5, 15, 25]);
  expect(trace.selected.value.event).toBe(35);
});

it("drops steps when the queue is full", async () => {
  const trace = fakeTrace();
  let asked = 0;
  trace.client.query = async <A extends Query["query"]>() => {
    asked += 1;
    return null as unknown as Answers[A];
  };
  trace.selected.value = { event: 5, time: 5, context: 1, kind: 7 };
  await Promise.all(Array.from({ length: 100 }, () => step(trace, "next")));
  expect(asked).toBe(8);
});

it("announces selections until the last one has arrived", async () => {
  const trace = fakeTrace();
  const answers: (() => void)[] = [];
  trace.client.query = async <A extends Query["query"]>(asking: QueryOf<A>) => {
    const query: Query = asking;
    await new Promise<void>((done) => answers.push(done));
    const event = query.query === "step" ? query.from + 1 : 90;
    return { event, time: event, context: 1, kind: 7 } as unknown as Answers[A];
  };
  const answer = async () => {
    while (answers.length === 0) await Promise.resolve();
    answers.shift()?.();
  };
  trace.selected.value = { event: 5, time: 5, context: 1, kind: 7 };
  expect(trace.arriving).toBeNull();
  void step(trace, "next");
  const marked = trace.arriving?.then(() => trace.selected.value?.event);
  const jumped = goToTime(trace, 99);
  await answer();
  expect(await marked).toBe(6);
  expect(trace.arriving).not.toBeNull();
  await answer();
  await jumped;
  await trace.arriving;
  expect(trace.selected.value.event).toBe(90);
  expect(trace.arriving).toBeNull();
});
