/** Scheme of the documents that *Show Request* opens. */
export const requestScheme = 'ask-model-request';
