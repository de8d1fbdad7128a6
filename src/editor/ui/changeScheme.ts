/** Addresses of documents that show a file as a model proposes it. Nobody writes into them. */
export const changeScheme = 'ask-model-change';
