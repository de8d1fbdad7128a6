import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** What the tests inside tell the runner outside: lines to print, and at the end the totals. */
export type Report = { readonly line: string } | { readonly passed: number; readonly failed: number };

/** How many tests passed and failed. */
type Totals = { readonly passed: number; readonly failed: number };

/** The runner's end of the line to the tests inside. */
export type ReportListener = {
  readonly port: number;
  /** The totals, when they have arrived. */
  totals(): Totals | undefined;
  close(): void;
};

/** Listens on loopback for what the tests inside report, and prints it as it comes. */
export async function listenForReport(): Promise<ReportListener> {
  let totals: Totals | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (text) => {
      const report: Report = JSON.parse(text);
      if ('line' in report) {
        console.log(report.line);
      } else {
        totals = report;
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    totals: () => totals,
    close: () => server.close(),
  };
}
