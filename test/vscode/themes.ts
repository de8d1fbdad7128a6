/** The default themes, by their names in the settings. */
export const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

/** The same themes by their names in the theme picker. */
export const themeLabels = {
  ...themes,
  highContrast: 'Dark High Contrast',
  highContrastLight: 'Light High Contrast',
};

/** The CSS class that the workbench has with each of them. */
export const themeClasses = { light: 'vs', dark: 'vs-dark', highContrast: 'hc-black', highContrastLight: 'hc-light' };
