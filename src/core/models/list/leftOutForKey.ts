import type { ModelList } from './model.ts';

/** Says which models a list is without, because the gateway put the key into their ids; empty when there are none. */
export function leftOutForKey({ withKey = 0 }: Pick<ModelList, 'withKey'>): string {
  if (withKey === 0) {
    return '';
  }
  return withKey === 1
    ? '1 model is left out because its ID contains this connection’s key.'
    : `${withKey} models are left out because their IDs contain this connection’s key.`;
}
