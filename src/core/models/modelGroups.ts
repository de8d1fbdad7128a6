import type { Model } from './model.ts';

export type ModelGroup = { readonly name: string; readonly models: readonly Model[]; readonly isForChat: boolean };

/** One group a vendor, by name, `Other` last; what can not chat stands apart at the end. Order within is kept. */
export function modelGroups(models: readonly Model[]): ModelGroup[] {
  const byVendor = new Map<string, Model[]>();
  const notForChat: Model[] = [];
  for (const model of models) {
    if (!model.isForChat) {
      notForChat.push(model);
      continue;
    }
    const group = byVendor.get(model.vendor);
    if (group) {
      group.push(model);
    } else {
      byVendor.set(model.vendor, [model]);
    }
  }
  const rank = (name: string) => (name === 'Other' ? 1 : 0);
  const groups = [...byVendor]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([name, group]) => ({ name, models: group, isForChat: true }));
  return notForChat.length > 0 ? [...groups, { name: 'Not for chat', models: notForChat, isForChat: false }] : groups;
}
