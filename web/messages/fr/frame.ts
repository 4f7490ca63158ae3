import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/frame.ts'

export const copying: typeof english.copying = {
  copy: 'Copier',
  copyNamed: (label) => `Copier : ${label}`,
  copied: 'Copié',
  selected: 'Sélectionné',
}

const reported = (count: number): string => (count < 2 ? `${count} photo signalée` : `${count} photos signalées`)

export const frame: typeof english.frame = {
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
    events: 'Événements',
    print: 'Carton de table et affiche',
    admin: 'Administration',
    login: 'Se connecter',
    register: 'S’inscrire',
    about: 'À propos',
    support: 'Aide',
    withdraw: 'Renoncer au contrat ici',
    privacy: 'Politique de confidentialité',
    terms: 'Conditions générales',
    accessibility: 'Accessibilité',
  },
  cookieSettings: 'Réglages des cookies',
  signOut: 'Se déconnecter',
  plan: (name) => `Formule ${name}`,
  unconfirmed: 'Adresse e-mail non confirmée',
  theme: 'Thème',
  themes: { system: 'Système', light: 'Clair', dark: 'Sombre' },
  notifications: 'Notifications',
}

export const languages: typeof english.languages = {
  label: 'Langue',
  hint: 'Pour tout ce que vous voyez ici et pour les e-mails que nous vous envoyons.',
  saveFailed: 'Nous n’avons pas pu enregistrer la langue. Veuillez réessayer.',
}

export const live: typeof english.live = {
  connected: 'WS : connecté',
  disconnected: 'WS : déconnecté',
  statuses: {
    disconnected: 'Déconnecté',
    connecting: 'Connexion…',
    connected: 'Connecté',
    error: 'Erreur',
    reconnecting: 'Reconnexion…',
    failed: 'Échec après cinq tentatives',
  },
}

export const noScript: typeof english.noScript = {
  needed: `${productName} a besoin de JavaScript. Activez-le dans les réglages de votre navigateur, puis rechargez cette page.`,
  unsupported: `${productName} a besoin d’un navigateur plus récent : Chrome 108, Safari 16.4, Firefox 115 ou ultérieur. Si le vôtre est plus récent, rechargez cette page.`,
}

export const notFound: typeof english.notFound = {
  title: 'Page introuvable',
  heading: 'Cette page n’est pas dans l’album',
  lead: 'L’adresse contient peut-être une erreur, ou la page a été déplacée.',
  print: 'Aucune photo prise ici',
  goBack: 'Page précédente',
  goHome: 'Accueil',
  stillLost: 'Besoin d’aide ?',
  contactSupport: 'Contactez-nous',
}

export const notices: typeof english.notices = {
  emailOff:
    'L’envoi d’e-mails n’est pas configuré : les invités ne peuvent pas demander de photos. Définissez SMTP_URL et MAIL_FROM sur le serveur et redémarrez-le.',
  emailsWait:
    'Les e-mails aux invités sont en attente : le dossier d’envoi ou son disque est plein. Définissez SMTP_URL, augmentez OUTBOX_MAX_MB ou déplacez des fichiers hors du dossier.',
}

export const samples: typeof english.samples = {
  table: 'Bougies et vin rouge sur une longue table de dîner',
  topper: 'Figurines de mariés en bois parmi les invités, devant une guirlande lumineuse',
  dance: 'La première danse d’un couple entre deux fontaines d’étincelles',
  balloons: 'Ballons rouges, blancs et dorés sur fond pâle',
  rings: 'Deux alliances à côté de roses en papier',
  family: 'Une famille de figurines en bois dans un pré au coucher du soleil',
}

export const states: typeof english.states = {
  loading: 'Chargement…',
  saving: 'Enregistrement…',
  profileFailed: 'Impossible de charger les données de votre profil.',
  tryAgain: 'Réessayer',
  cancel: 'Annuler',
  close: 'Fermer',
  showPassword: 'Afficher le mot de passe',
  hidePassword: 'Masquer le mot de passe',
  pageError: {
    heading: 'Une erreur s’est produite',
    lead: 'Cette page a cessé de fonctionner. Vos photos sont en sécurité. Recharger la page suffit en général.',
    reloads:
      'Cette page ne fonctionne plus. Vos photos sont en sécurité. La page se recharge d’elle-même dans un instant.',
    reload: 'Recharger la page',
  },
  tooManyRequests: (seconds) =>
    `Trop de demandes. Patientez ${seconds} ${seconds < 2 ? 'seconde' : 'secondes'}, puis réessayez.`,
  unreachable: {
    heading: 'Le serveur est injoignable',
    lead: 'Vérifiez la connexion de cet appareil. Votre session reste ouverte, et cette page réessaie d’elle-même.',
    retries: 'Vérifiez la connexion de cet appareil. Cette page réessaie d’elle-même.',
  },
}
