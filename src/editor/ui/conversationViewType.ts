/** The view type of the conversation panels. VS Code restores them by it; the activation events name it too. */
export const conversationViewType = 'askModel.conversation';
