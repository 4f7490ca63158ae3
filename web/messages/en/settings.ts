/** What a person may switch; spec sections 2 and 8. */
export const settings = {
  gate: {
    label: 'Ask for an e-mail address',
    hint: 'Guests leave an address and get the photo by e-mail. Codes that are printed already ask as well, at once.',
    saved: 'Email setting updated successfully',
    failed: 'Failed to update email setting. Please try again.',
  },
}
