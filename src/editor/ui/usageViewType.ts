/** The view type of the usage view. VS Code restores it by this type; the activation events name it too. */
export const usageViewType = 'askModel.usage';
