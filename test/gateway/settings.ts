import type { Account } from './account.ts';
import type { Upstream } from './network/upstream.ts';
import type { RequestRecorder } from './requestRecorder.ts';
import type { GroupRatios, SiteDisplay, SiteFault } from './site/siteSettings.ts';

/** What the endpoints share: the account, and the settings that can change while the gateway runs. */
export interface Settings {
  readonly account: Account;
  readonly recorder: RequestRecorder;
  readonly now: () => number;
  readonly foreignOrigin: string;
  /** A real service that answers instead of the scripts. */
  readonly upstream: Upstream | undefined;
  /** The context size of every chat model, in tokens, instead of its own. */
  readonly contextTokens: number | undefined;
  readonly siteApi: 'on' | 'off';
  /** Each group's factor of the catalogue's prices. */
  readonly groupRatios: GroupRatios;
  /** Milliseconds between deltas. */
  delayMs: number;
  /** The fault of every call, unless its header, its path or its key names another. */
  fault: string | undefined;
  errorsAs200: boolean;
  siteDisplay: SiteDisplay;
  /** The fault of the site's endpoints. */
  siteFault: SiteFault | undefined;
}
