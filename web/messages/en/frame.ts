import { productName } from '@keepsnap/contract/product.ts'

/** What stands around every page. */
export const frame = {
  skip: 'Skip to content',
  documentTitle: (page: string) => `${page} · ${productName}`,
  mainNavigation: 'Main',
  phoneNavigation: 'Main, phone',
  footerNavigation: 'Footer',
  menu: 'Menu',
  accountMenu: 'Account menu',
  links: {
    home: 'Home',
    latest: 'Latest',
    gallery: 'Gallery',
    upload: 'Upload',
    settings: 'Settings',
    pricing: 'Pricing',
    profile: 'Your Profile',
    photoRequests: 'Photo Requests',
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
}
