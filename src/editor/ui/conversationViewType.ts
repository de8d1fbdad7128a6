/** Names our panels to VS Code, which restores them by it; also in the manifest's activation events. */
export const conversationViewType = 'askModel.conversation';
