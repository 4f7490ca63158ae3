import { productName } from '@keepsnap/contract/product.ts'
import type { frame as english } from '../en/frame.ts'

const reported = (count: number): string => (count < 2 ? `${count} photo signalée` : `${count} photos signalées`)

/** Header, menu and footer of every page. */
export const frame: typeof english = {
  skip: 'Aller au contenu',
  documentTitle: (page) => `${page} · ${productName}`,
  mainNavigation: 'Navigation principale',
  phoneNavigation: 'Navigation principale, téléphone',
  footerNavigation: 'Pied de page',
  menu: 'Menu',
  accountMenu: 'Menu du compte',
  accountMenuReports: (count) => `Menu du compte, ${reported(count)}`,
  reported,
  links: {
    home: 'Accueil',
    latest: 'Écran',
    gallery: 'Galerie',
    upload: 'Ajouter',
    settings: 'Paramètres',
    pricing: 'Tarifs',
    profile: 'Votre profil',
    photoRequests: 'Demandes de photos',
    insights: 'Statistiques',
    print: 'Carton de table et affiche',
    admin: 'Administration',
    login: 'Se connecter',
    register: 'S’inscrire',
    about: 'À propos',
    support: 'Aide',
    privacy: 'Politique de confidentialité',
    terms: 'Conditions générales',
  },
  cookieSettings: 'Réglages des cookies',
  signOut: 'Se déconnecter',
  plan: (name) => `Formule ${name}`,
  unconfirmed: 'Adresse e-mail non confirmée',
  theme: 'Thème',
  themes: { system: 'Système', light: 'Clair', dark: 'Sombre' },
  notifications: 'Notifications',
}
