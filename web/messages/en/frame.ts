import { productName } from '@keepsnap/contract/product.ts'

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
    login: 'Sign In',
    register: 'Register',
    about: 'About',
    support: 'Support',
    privacy: 'Privacy Policy',
    terms: 'General Conditions',
  },
  signOut: 'Sign out',
  freePlan: 'Free plan',
  proPlan: 'Pro plan',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  notifications: 'Notifications',
  emailOff:
    'Email isn’t set up, so guests can’t request photos. Set SMTP_URL and MAIL_FROM on the server and restart it.',
}
