import type { SharedPorts } from '../ui/remembered.ts';
import { UsageMatching, type UsageMatchingPorts } from './usageMatching.ts';
import { UsageView } from './usageView.ts';
import type { UsageViewPorts } from './usageViewPorts.ts';

export type UsageViewParts = SharedPorts &
  Omit<UsageViewPorts, 'matching'> &
  Pick<UsageMatchingPorts, 'readLog' | 'turnOnProbes'>;

/** Builds the usage view, and what compares it with logs of gateways; loaded when the view is first opened. */
export function openUsageView(ports: UsageViewParts): UsageView {
  const { store, remembered, connections } = ports;
  const find = (id: string) => connections().find((each) => each.id === id);
  const columns = remembered.ofConnections('logColumns');
  const matching = new UsageMatching({
    ...ports,
    columnsOf: (id) => ({ read: () => columns.read(id), write: (value) => columns.write(id, value) }),
    hostOf: (id) => find(id)?.host ?? id,
    creditOf: (id) => find(id)?.creditUnit,
    noteGroupRatio: remembered.ofConnections('groupRatio').write,
  });
  return store.add(new UsageView({ ...ports, matching: store.add(matching) }));
}
