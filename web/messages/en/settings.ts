/** The switches of the settings page. */
export const settings = {
  askForEmail: {
    label: 'Ask for an email address',
    hint: 'Guests enter an address and get the photo by email. This also applies to codes you have already printed.',
    saved: 'Email setting updated successfully',
    failed: 'Failed to update email setting. Please try again.',
  },
  photos: 'Photos',
  watermark: {
    label: 'Watermark',
    hint: 'Put your logo on new photos. Requires a logo and a Pro plan.',
    saved: 'Watermark setting updated successfully',
    failed: 'Failed to update watermark setting',
  },
  watermarkLayout: {
    size: 'Size',
    sizes: { small: 'Small', medium: 'Medium', large: 'Large' },
    strength: 'Strength',
    strengths: { light: 'Light', medium: 'Medium', strong: 'Strong' },
    corner: 'Position',
    corners: {
      'top-left': 'Top left',
      'top-right': 'Top right',
      center: 'Centre',
      'bottom-left': 'Bottom left',
      'bottom-right': 'Bottom right',
    },
    saved: 'Watermark setting updated successfully',
    failed: 'Failed to update watermark setting',
  },
  mail: 'Email',
  preferences: {
    saved: 'Email preferences updated successfully',
    failed: 'Failed to update email preferences',
  },
  news: { label: 'Product news', hint: 'A short email when something new is ready. A few times a year.' },
  offers: { label: 'Offers', hint: 'Discounts and seasonal offers.' },
  removals: {
    label: 'Before addresses are removed',
    hint: 'An email when 20 or more addresses of guests will be removed within 14 days. At most one a month.',
  },
  service: 'Essential account emails, such as password resets, are always sent and contain no advertising.',
}
