/** The choice of the language, in the footer, in the settings and on guest pages. */
export const languages = {
  label: 'Language',
  /** Of the section in the settings. */
  hint: 'For everything you see here, and for the emails we send you.',
  saveFailed: 'We couldn’t save the language. Please try again.',
}
