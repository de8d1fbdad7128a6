import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** What the tests inside VS Code send to the runner: lines to print, and the totals at the end. */
export type Report = { readonly line: string } | { readonly passed: number; readonly failed: number };

/** How many tests passed and failed. */
type Totals = { readonly passed: number; readonly failed: number };

/** The runner's side of the connection to the tests inside VS Code. */
export type ReportListener = {
  readonly port: number;
  /** The totals, when they have arrived. */
  totals(): Totals | undefined;
  close(): void;
};

/** Listens on loopback for the reports of the tests inside VS Code, and prints their lines as they arrive. */
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
