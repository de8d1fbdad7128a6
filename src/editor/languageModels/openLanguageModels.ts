import { once } from '../../core/base/once.ts';
import type { FindSender } from '../../core/chat/sending/chatPorts.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import { CallerConsent } from './callerConsent.ts';
import type { LanguageModels } from './languageModels.ts';

export type LanguageModelsPorts = SharedPorts & {
  readonly connections: Pick<Connections, 'active'>;
  readonly ensureConnected: () => Promise<boolean>;
  readonly findSender: FindSender;
  readonly catalogue: Catalogue;
  readonly conversationStore: () => Promise<Pick<ConversationStore, 'lock'>>;
};

/** The models for the rest of VS Code, and the person's consent to the extensions that call them. */
export type OpenedLanguageModels = {
  /** Loaded when VS Code first asks for models. */
  readonly languageModels: () => Promise<LanguageModels>;
  readonly consent: CallerConsent;
};

/** Builds the models for VS Code's Chat, its agents and other extensions. */
export function openLanguageModels(ports: LanguageModelsPorts): OpenedLanguageModels {
  const { store, log, clock, remembered, connections, ensureConnected, findSender, catalogue, conversationStore } =
    ports;
  // Created at once and not with the models, so that withdrawn consent is noticed even before the models are loaded.
  const consent = store.add(
    new CallerConsent(log, {
      read: () => remembered.allowedCallers,
      write: (ids) => remembered.setAllowedCallers(ids),
    }),
  );
  const languageModels = once(async () => {
    const { LanguageModels } = await import('./languageModels.ts');
    return store.add(
      new LanguageModels({
        catalogue,
        clock,
        log,
        connectionId: () => connections.active?.id,
        findSender,
        lock: async (id) => (await conversationStore()).lock(id),
        setWithoutUsage: (id) => remembered.setWithoutUsage(id),
        ensureConnected,
        consent,
      }),
    );
  });
  return { languageModels, consent };
}
