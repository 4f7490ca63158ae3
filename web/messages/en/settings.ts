import { apiKeyNameMessages, brandNameMessages, usernameMessages } from '@keepsnap/contract/form-rules.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'

/** The account itself, on the profile and settings pages. */
export const account = {
  title: 'Settings',
  sections: 'Settings sections',
  profileTitle: 'Your Profile',
  edit: 'Edit Profile',
  username: 'Username',
  email: 'Email',
  tier: 'Subscription tier',
  tiers: { free: 'Free', pro: 'Pro' },
  genericError: 'An error occurred. Please try again.',
  plan: { name: 'Subscription' },
  profile: {
    name: 'Profile',
    lead: 'Your account details. Guests only see the brand name.',
    save: 'Save',
    username: {
      label: 'Username',
      hint: 'Only you and the admins of this site see it.',
      saved: 'Username updated successfully',
      failed: 'Failed to update username. Please try again.',
    },
    brandName: {
      label: 'Brand name (optional)',
      hint: 'Guests see it in emails with your photos.',
      afterConfirming: 'It’s used once your email address is confirmed.',
      saved: 'Brand name updated successfully',
      failed: 'Failed to update brand name. Please try again.',
    },
    timeZone: {
      label: 'Time zone',
      hint: 'For times in emails, the file names of photos that guests save, and the evenings of Gallery and Insights.',
      server: 'The server’s time zone',
      saved: 'Time zone updated successfully',
      failed: 'Failed to update time zone. Please try again.',
    },
    verified: 'Confirmed',
    unverified: 'This address isn’t confirmed yet. Click the link in the email we sent, or ask for a new one.',
    resend: 'Resend email',
    resent: (email: string) => `We’ve sent an email to ${email}.`,
    change: 'Change email',
  },
  changeEmail: {
    title: 'Change email',
    lead: 'We’ll email a confirmation link to the new address. Your current address stays until you click it.',
    email: 'New email',
    emailNeeded: 'Please enter an email address, such as name@example.com.',
    emailSame: 'This is already your address.',
    password: 'Your password',
    passwordNeeded: 'Please enter your password.',
    submit: 'Send the link',
    sent: (email: string) => `We’ve sent an email to ${email}. Your address changes when you click the link in it.`,
  },
}

/** Why a text cannot be a name. */
export const names = { brandName: brandNameMessages, username: usernameMessages, apiKey: apiKeyNameMessages }

/** Password, devices, data export and account deletion. */
export const security = {
  name: 'Security',
  genericError: 'An error occurred. Please try again.',
  password: {
    title: 'Password',
    hint: 'Changing it signs you out on all other devices.',
    change: 'Change password',
    current: 'Current password',
    currentNeeded: 'Please enter your current password.',
    password: 'New password',
    confirm: 'Confirm password',
    submit: 'Set new password',
    done: 'Your password has been changed. Other devices are signed out.',
  },
  /** Asked for before a key or a webhook is created. */
  confirmation: {
    password: 'Your password',
    passwordHint: `You won’t be asked again for ${accountLimits.passwordMinutes} minutes.`,
    passwordNeeded: 'Please enter your password.',
    passwordFailed: 'Your password couldn’t be checked. Please try again.',
  },
  /** What opens the account without a password, after a reset and when signing out everywhere. */
  access: {
    title: 'Check what else has access',
    lead: 'What is listed here keeps working after a new password. Delete what you don’t know or no longer need. What was created since your earlier password was set is selected.',
    endAllLead:
      'What is listed here keeps working unless you delete it too. What was created since your password was set is selected.',
    list: 'API keys and webhooks',
    key: (name: string) => `API key “${name}”`,
    webhook: (host: string) => `Webhook to ${host}`,
    listWithGrants: 'API keys, webhooks, links and helpers of events',
    grant: (address: string, event: string) => `Link to all photos of “${event}” for ${address}`,
    helper: (name: string, event: string) => `Helper ${name} of “${event}”`,
    created: (date: string) => `Created on ${date}`,
    used: (when: string) => `Last used ${when}`,
    neverUsed: 'Never used',
    delete: (count: string) => `Delete selected (${count})`,
    deleteAndEndAll: (count: string) => `Delete selected (${count}) and sign out`,
    keepAll: 'Keep all',
    done: 'Deleted. They stop working within a second.',
    failed: 'They couldn’t be deleted. Please try again.',
  },
  sessions: {
    title: (count: string, one: boolean) => (one ? 'Signed in on 1 device' : `Signed in on ${count} devices`),
    loading: 'Where you are signed in',
    failed: 'The list of devices couldn’t be loaded.',
    show: 'Show devices',
    hide: 'Hide devices',
    thisDevice: 'This device',
    used: (when: string) => `Last used ${when}`,
    since: (when: string) => `Signed in since ${when}`,
    unknown: 'Unknown device',
    browserOnSystem: (browser: string, system: string) => `${browser} on ${system}`,
    browser: 'Browser',
    end: 'Sign out',
    endOne: (device: string) => `Sign out: ${device}`,
    ended: 'The device has been signed out.',
    endAll: 'Sign out everywhere',
    endAllQuestion:
      'Sign out on all devices, including this one? Links to full-size photos you’ve shared will stop working.',
    endedAll: 'You’re signed out on all devices.',
  },
  data: {
    title: 'Your data',
    hint: 'Everything we keep about you, in one file. We’ll email you the link.',
    start: 'Export my data',
    again: 'Create a new file',
    queued: (email: string) => `We’re preparing your file. We’ll email the link to ${email}.`,
    ready: (size: string, until: string) =>
      `Your file of ${size} is ready. The link in the email works until ${until}.`,
    failed: 'The file couldn’t be created. Please try again.',
    loadFailed: 'The status of your file couldn’t be loaded.',
  },
  deletion: {
    title: 'Delete account',
    hint: 'Your photos, codes and requests will be deleted too.',
    question: 'This cannot be undone. We’ll permanently delete:',
    photos: (count: string, one: boolean) => (one ? 'your photo' : `your ${count} photos`),
    noPhotos: 'your account and its settings',
    codes: 'every code you printed or shared (they will stop working)',
    requests: 'the requests and email addresses of your guests',
    brand: 'your logo, background and data exports',
    exportFirst: 'You may want to export your data first.',
    submit: 'Delete my account',
    done: 'Your account has been deleted. We’ve sent you a confirmation email.',
  },
}

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
