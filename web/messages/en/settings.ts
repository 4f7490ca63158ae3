/** What a person may switch; spec sections 2 and 8. */
export const settings = {
  gate: {
    label: 'Ask for an e-mail address',
    hint: 'Guests leave an address and get the photo by e-mail. Codes that are printed already ask as well, at once.',
    saved: 'Email setting updated successfully',
    failed: 'Failed to update email setting. Please try again.',
  },
  photos: 'Photos',
  watermark: {
    label: 'Watermark',
    hint: 'Put your logo at the bottom right of new photos. It has an effect only with a logo and a Pro plan.',
    saved: 'Watermark setting updated successfully',
    failed: 'Failed to update watermark setting',
  },
  mail: 'E-mail',
  preferences: {
    saved: 'Email preferences updated successfully',
    failed: 'Failed to update email preferences',
  },
  news: { label: 'Product news', hint: 'A short letter when something new is ready. A few times a year.' },
  offers: { label: 'Offers', hint: 'Discounts and seasonal offers.' },
  service: 'Letters that an account needs, such as a link for a new password, come in any case and advertise nothing.',
}
