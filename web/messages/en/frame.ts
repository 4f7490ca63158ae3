import { productName } from '@keepsnap/contract/site.ts'

/** Buttons that copy a text. */
export const copying = {
  copy: 'Copy',
  copyNamed: (label: string) => `Copy: ${label}`,
  copied: 'Copied',
  /** Where the browser does not let pages copy: the user copies what is selected. */
  selected: 'Selected',
}

/** Header, menu and footer of every page. */
export const frame = {
  skip: 'Skip to content',
  documentTitle: (page: string) => `${page} · ${productName}`,
  mainNavigation: 'Main',
  phoneNavigation: 'Main, phone',
  footerNavigation: 'Footer',
  menu: 'Menu',
  accountMenu: 'Account menu',
  accountMenuReports: (count: number) => `Account menu, ${count === 1 ? '1 photo' : `${count} photos`} reported`,
  reported: (count: number) => (count === 1 ? '1 photo reported' : `${count} photos reported`),
  links: {
    home: 'Home',
    latest: 'Latest',
    gallery: 'Gallery',
    upload: 'Upload',
    settings: 'Settings',
    pricing: 'Pricing',
    profile: 'Your Profile',
    photoRequests: 'Photo Requests',
    insights: 'Insights',
    events: 'Events',
    print: 'Table Card and Poster',
    admin: 'Operator',
    login: 'Sign In',
    register: 'Register',
    about: 'About',
    support: 'Support',
    withdraw: 'Withdraw from contract here',
    privacy: 'Privacy Policy',
    terms: 'General Conditions',
    accessibility: 'Accessibility',
  },
  cookieSettings: 'Cookie settings',
  signOut: 'Sign out',
  plan: (name: string) => `${name} plan`,
  unconfirmed: 'Email address not confirmed',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  notifications: 'Notifications',
}

/** The choice of the language, in the footer, in the settings and on guest pages. */
export const languages = {
  label: 'Language',
  /** Of the section in the settings. */
  hint: 'For everything you see here, and for the emails we send you.',
  saveFailed: 'We couldn’t save the language. Please try again.',
}

/** State of the live channel, shown to admins. */
export const live = {
  connected: 'WS: Connected',
  disconnected: 'WS: Disconnected',
  statuses: {
    disconnected: 'Disconnected',
    connecting: 'Connecting',
    connected: 'Connected',
    error: 'Error',
    reconnecting: 'Reconnecting',
    failed: 'Failed after five attempts',
  },
}

/** What index.html says where the app cannot start, in browsers without JavaScript and in old ones. */
export const noScript = {
  needed: `${productName} needs JavaScript. Switch it on in the settings of your browser, then load this page again.`,
  /** The versions are those of web/build.ts. */
  unsupported: `${productName} needs a newer browser: Chrome 108, Safari 16.4, Firefox 115 or later. If yours is newer, load this page again.`,
}

/** The page for an unknown path. */
export const notFound = {
  title: 'Page not found',
  heading: 'This page isn’t in the album',
  lead: 'The address may be mistyped, or the page has moved.',
  print: 'Nothing was taken here',
  goBack: 'Go Back',
  goHome: 'Go Home',
  stillLost: 'Still lost?',
  contactSupport: 'Contact support',
}

/** Notices above the pages of signed-in users. */
export const notices = {
  emailOff:
    'Email isn’t set up, so guests can’t request photos. Set SMTP_URL and MAIL_FROM on the server and restart it.',
  emailsWait:
    'Emails to guests wait: the outbox folder or its disk is full. Set SMTP_URL, raise OUTBOX_MAX_MB or move files out of the folder.',
}

/** What the sample pictures show. */
export const samples = {
  table: 'Candles and red wine on a long dinner table',
  topper: 'Wooden bride and groom figures among the guests, string lights behind',
  dance: 'A couple’s first dance between two spark fountains',
  balloons: 'Red, white and golden balloons on a pale background',
  rings: 'Two wedding rings beside paper roses',
  family: 'A family of wooden figures in a meadow at sunset',
}

/** Shared by many pages: loading, errors, dialogs. */
export const states = {
  loading: 'Loading...',
  saving: 'Saving...',
  profileFailed: 'Failed to load your profile information.',
  tryAgain: 'Try Again',
  cancel: 'Cancel',
  close: 'Close',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  pageError: {
    heading: 'Something went wrong',
    lead: 'This page stopped working. Your photos are safe. Reloading usually helps.',
    reloads: 'This page stopped working. Your photos are safe. It reloads by itself in a moment.',
    reload: 'Reload the page',
  },
  tooManyRequests: (seconds: number) =>
    `Too many requests. Please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`,
  unreachable: {
    heading: 'We can’t reach the server',
    lead: 'Check this device’s connection. You are still signed in, and this page tries again by itself.',
    retries: 'Check this device’s connection. This page tries again by itself.',
  },
}
