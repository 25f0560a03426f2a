import { expect, it } from "vitest";
import { fakeTrace } from "../panels/fixture";
import type { Answers, QueryOf } from "../session/client";
import type { Query } from "../session/wire";
import { step } from "./navigation";

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
