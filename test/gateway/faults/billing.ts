import type { Fault } from '../fault.ts';

/** Calls that aren't charged by the tokens sent. Nothing on the wire shows it. */
export const billingFaults: readonly Fault[] = [
  {
    name: 'runs-on',
    quirk: 'Q91',
    about: 'a reply that is stopped runs on to its end, and all of it is charged',
    on: 'chat',
    runsOn: true,
  },
  {
    name: 'priced-per-call',
    quirk: 'Q92',
    about: 'a call that reached the model costs the same whatever it made, also when it is stopped or cut',
    on: 'chat',
    amount: { about: 'micro-USD', default: 10_000 },
    isPricedPerCall: true,
  },
];
