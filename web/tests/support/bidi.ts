/** Firefox by its WebDriver BiDi interface: Playwright's client needs a newer one. */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import WebSocket from "ws";

const PATH = process.env.FIREFOX ?? "firefox-esr";

type Answer = { id?: number; result?: Record<string, unknown>; message?: string };

export class Firefox {
  private readonly takers = new Map<number, (answer: Answer) => void>();
  /** The page. */
  private context = "";
  private asked = 0;

  private constructor(
    private readonly process: ChildProcess,
    private readonly socket: WebSocket,
    /** Errors that the page has logged. */
    readonly complaints: string[] = [],
  ) {
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as Answer & { params?: LogEntry };
      if (message.id !== undefined) this.takers.get(message.id)?.(message);
      else if (message.params?.level === "error") complaints.push(message.params.text ?? "");
    });
  }

  /** Starts it with a profile of its own in an empty folder. */
  static async start(profile: string): Promise<Firefox> {
    const options = ["--headless", "--no-remote", "--profile", profile];
    const browser = spawn(PATH, [...options, "--remote-debugging-port", "0"], {
      env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      const socket = new WebSocket(`${await address(browser)}/session`);
      await new Promise((open, fail) => socket.once("open", open).once("error", fail));
      const firefox = new Firefox(browser, socket);
      await firefox.send("session.new", { capabilities: {} });
      await firefox.send("session.subscribe", { events: ["log.entryAdded"] });
      const { contexts } = await firefox.send("browsingContext.getTree", {});
      firefox.context = (contexts as { context: string }[])[0]?.context ?? "";
      return firefox;
    } catch (error) {
      browser.kill("SIGKILL");
      throw error;
    }
  }

  async open(url: string): Promise<void> {
    await this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }

  /** The text that an expression gives in the page. */
  async text(expression: string): Promise<string> {
    const { result, exceptionDetails } = (await this.send("script.evaluate", {
      expression,
      target: { context: this.context },
      awaitPromise: true,
    })) as { result?: { value: string }; exceptionDetails?: { text: string } };
    if (result === undefined) throw new Error(exceptionDetails?.text);
    return String(result.value);
  }

  stop(): Promise<void> {
    return new Promise((exited) => {
      this.process.once("exit", () => exited());
      this.process.kill("SIGKILL");
      this.socket.terminate();
    });
  }

  private async send(method: string, params: object): Promise<Record<string, unknown>> {
    this.asked += 1;
    const id = this.asked;
    const answer = await new Promise<Answer>((take) => {
      this.takers.set(id, take);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.result === undefined) throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  }
}

interface LogEntry {
  level?: string;
  text?: string | null;
}

/** The address that the browser prints. */
function address(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const printed: string[] = [];
    browser.once("error", reject);
    browser.once("exit", () => reject(new Error(`${PATH} exited\n${printed.join("\n")}`)));
    if (browser.stderr === null) throw new Error("no standard error");
    createInterface(browser.stderr).on("line", (line) => {
      printed.push(line);
      const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}
