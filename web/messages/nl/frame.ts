import { productName } from '@keepsnap/contract/product.ts'
import type { frame as english } from '../en/frame.ts'

/** Header, menu and footer of every page. */
export const frame: typeof english = {
  skip: 'Naar de inhoud',
  documentTitle: (page) => `${page} · ${productName}`,
  mainNavigation: 'Hoofdmenu',
  phoneNavigation: 'Hoofdmenu, telefoon',
  footerNavigation: 'Voettekst',
  menu: 'Menu',
  accountMenu: 'Accountmenu',
  accountMenuReports: (count) => `Accountmenu, ${count === 1 ? '1 foto' : `${count} foto’s`} gemeld`,
  reported: (count) => (count === 1 ? '1 foto gemeld' : `${count} foto’s gemeld`),
  links: {
    home: 'Home',
    latest: 'Nieuwste',
    gallery: 'Galerij',
    upload: 'Upload',
    settings: 'Instellingen',
    pricing: 'Prijzen',
    profile: 'Je profiel',
    photoRequests: 'Fotoaanvragen',
    insights: 'Statistieken',
    admin: 'Beheer',
    login: 'Inloggen',
    register: 'Registreren',
    about: 'Over ons',
    support: 'Hulp',
    privacy: 'Privacybeleid',
    terms: 'Algemene voorwaarden',
  },
  signOut: 'Uitloggen',
  plan: (name) => `Abonnement ${name}`,
  unconfirmed: 'E-mailadres niet bevestigd',
  theme: 'Weergave',
  themes: { system: 'Systeem', light: 'Licht', dark: 'Donker' },
  notifications: 'Berichten',
}
