import { productName } from '@keepsnap/contract/site.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type * as english from '../en/site.ts'

export const about: typeof english.about = {
  title: 'À propos',
  description: `À quoi sert ${productName}, comment cela fonctionne et qui s’en occupe.`,
  heading: 'La plus belle photo de la soirée ne doit pas rester dans l’appareil',
  lead: `${productName} apporte la photo à ceux qui y figurent, pendant que la musique joue encore : sur le grand écran, avec un code à côté, et un instant plus tard sur leur téléphone.`,
  print: { line: 'À table', code: 'Code QR de cette photo d’exemple' },
  mission: {
    heading: 'Notre mission',
    paragraphs: [
      'Des semaines après une fête, un lien arrive avec des centaines de photos, et peu de gens cherchent la leur. Nous pensons qu’une photo n’a jamais autant de valeur que dans l’heure où elle est prise, pour les personnes qui y figurent.',
      'Nous avons donc fait une seule chose, simplement : une photo, son code, et rien entre l’invité et l’image. Ni appli ni compte. Quand un photographe demande une adresse e-mail, elle sert à envoyer cette photo et à rien d’autre.',
    ],
  },
  how: {
    heading: 'Comment ça marche',
    take: {
      title: 'Prendre',
      text: 'La photo est envoyée depuis un appareil photo, une borne photo ou un téléphone.',
    },
    show: {
      title: 'Montrer',
      text: 'Dès qu’elle est prête, elle remplit le grand écran, avec son propre code à côté.',
    },
    keep: {
      title: 'Garder',
      text: 'Les invités scannent le code et enregistrent la photo en pleine résolution. Ou bien ils laissent une adresse e-mail et la trouvent dans leur boîte de réception.',
    },
    scan: 'Scannez, gardez',
    save: 'Enregistrer',
  },
  team: {
    heading: 'L’équipe',
    operator: 'Exploitant de ce site',
    sample: 'Ce sont des valeurs d’exemple : l’exploitant de ce site n’a pas encore indiqué de nom ni d’adresse.',
    failed: 'Impossible d’afficher l’exploitant de ce site.',
    open: 'Le programme lui-même est libre, sous la licence publique générale GNU Affero : chacun peut le lire, le modifier et l’utiliser.',
  },
  end: {
    heading: 'Emportez-le à votre prochain événement',
    start: 'Commencer',
    upload: 'Ajouter des photos',
    support: 'Écrivez-nous',
  },
}

export const cookies: typeof english.cookies = {
  title: 'Cookies',
  essential: `${productName} conserve sur votre appareil votre connexion, vos préférences d’affichage et ce choix. Le site ne peut pas fonctionner sans.`,
  permission: 'Avec votre accord, nous comptons aussi les visites.',
  noAnalytics: 'Aucune mesure d’audience n’est configurée sur ce site : rien n’est compté, quel que soit votre choix.',
  more: 'Politique de confidentialité',
  customize: 'Personnaliser',
  essentialOnly: 'Essentiels uniquement',
  acceptAll: 'Tout accepter',
  choices: 'Ce qui peut être utilisé',
  essentialName: 'Essentiels',
  essentialHint: 'Toujours actifs. Votre connexion, vos préférences d’affichage et ce choix.',
  analyticsName: 'Mesure d’audience',
  analyticsHint: (provider, host) =>
    `Compte les visites des pages avec ${provider} sur ${host}, sans cookies, sans votre nom ni vos photos. Cela nous montre ce qui est difficile à trouver. Aucune publicité.`,
  analyticsUnknown:
    'Compte les visites des pages, si une mesure d’audience est configurée sur ce site. Aucune publicité.',
  save: 'Enregistrer les préférences',
  close: 'Fermer',
}

export const home: typeof english.home = {
  title: 'Un code QR pour chaque photo',
  heading: 'Une photo à l’écran, un scan, et vos invités repartent avec.',
  lead: `${productName} affiche chacune de vos photos avec son propre code QR. Vos invités le visent avec leur téléphone et récupèrent la photo en quelques secondes. Sans appli, sans compte.`,
  getStarted: 'Commencer',
  seeMore: 'Voir le grand écran',
  welcome: 'Bonjour',
  welcomeFirst: 'Bienvenue,',
  welcomeBack: 'Bonjour,',
  welcomeLead: 'Ajoutez une photo : son code apparaît à l’écran un instant plus tard.',
  firstPhotoLead: 'Prochaine étape : ajoutez une photo. Son code est prêt un instant plus tard.',
  firstScreenLead:
    'Votre première photo est là. Prochaine étape : affichez-la sur le grand écran, où vos invités scanneront son code.',
  unconfirmed: 'Votre adresse e-mail n’est pas encore confirmée.',
  unconfirmedAction: 'Comment la confirmer',
  uploadPhotos: 'Ajouter des photos',
  openLatest: 'Ouvrir le grand écran',
  pauseExample: 'Mettre l’exemple en pause',
  playExample: 'Reprendre l’exemple',
  scanLine: 'Scannez pour garder cette photo',
  codeAlt: 'Code QR de la photo d’exemple',
  tilesHeading: 'Du déclencheur à la poche',
  tiles: {
    bigScreen: {
      title: 'Un grand écran qui suit le rythme',
      text: 'La dernière photo s’affiche toute seule, aussi grande que l’écran le permet, avec son code toujours au même endroit.',
      line: 'Scannez-moi',
    },
    pocket: {
      title: 'Dans la poche en quelques secondes',
      text: 'Le code ouvre la photo, avec un seul grand bouton pour l’enregistrer sur le téléphone.',
      button: 'Enregistrer',
    },
    mail: {
      title: 'Ou envoyée par e-mail',
      text: 'Si vous préférez, demandez d’abord une adresse e-mail. Vous suivez chaque demande et son envoi.',
      label: 'Votre adresse e-mail',
      button: 'Recevoir la photo',
    },
    brand: {
      title: 'Signée de votre nom',
      text: `Votre logo dans le coin, votre image de fond derrière la photo. ${productName} ne s’invite pas sur l’image.`,
    },
    gallery: {
      title: 'Toute la soirée au même endroit',
      text: 'Toutes les photos, les plus récentes d’abord, dans une galerie qui reste rapide même quand il y en a des milliers.',
    },
    booth: {
      title: 'Directement depuis la borne photo',
      text: 'L’appareil photo ou la borne envoie les photos à votre place, et vous gardez un œil sur votre quota du mois.',
      usage: 'Photos ce mois-ci',
      used: (photos, most) => `${photos} sur ${most}`,
    },
  },
}

/** Autour des textes de la politique de confidentialité et des conditions générales, qui se trouvent dans web/features/site/legal. */
export const legal: typeof english.legal = {
  contents: 'Sur cette page',
  short: 'En bref',
  print: 'Imprimer',
  current: (date) => `En vigueur depuis le ${date}`,
  earlier: (from, until) => `En vigueur du ${from} au ${until}`,
  announced: (date) => `En vigueur à partir du ${date}`,
  notes: {
    sample: 'Texte d’exemple, ne constitue pas un avis juridique',
    sampleWhy: 'L’entreprise qui exploite ce site n’a pas encore indiqué son nom ni son adresse.',
    earlier:
      'Cette version est ancienne et ne s’applique plus. Les noms, adresses et services qu’elle cite sont ceux des réglages actuels de ce site.',
    announced: 'Cette version ne s’applique pas encore.',
    unknown: 'Il n’existe pas de version à cette date. Voici celle qui s’applique.',
    next: (date) => `Une nouvelle version s’applique à partir du ${date}.`,
    toCurrent: 'Afficher la version en vigueur',
    toNext: 'Afficher la nouvelle version',
  },
  versions: 'Versions',
  first: 'Première version',
  loading: 'Chargement du texte',
  failed: 'Impossible de charger le texte. Vérifiez votre connexion et réessayez.',
}

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

export const pageDescriptions: typeof english.pageDescriptions = {
  app: 'Le partage de photos avec un code QR pour chaque image.',
  previewLine: 'Scannez pour essayer',
  home: `${productName} affiche chaque photo que vous prenez sur grand écran, avec son propre code QR. Vos invités le scannent et reçoivent la photo en quelques secondes : sans appli, sans compte.`,
  pricing: `Commencez gratuitement avec ${freePhotos} photos par mois. Pro ajoute votre logo, des statistiques et une assistance prioritaire ; ${plans.pro_yearly.name} ajoute l’accès à l’API. Sans frais de mise en service, remboursé sous ${refundDays} jours.`,
  demoScreen:
    'Voyez ce que voient vos invités : la dernière photo sur grand écran, avec un code QR à scanner tout de suite.',
  login: 'Connectez-vous pour envoyer des photos et les afficher avec leur code QR.',
  register: `Créez un compte gratuit avec ${freePhotos} photos par mois. Envoyez une photo : vos invités scannent son code QR pour la garder.`,
  forgotPassword: 'Mot de passe oublié ? Nous vous envoyons un lien pour en choisir un nouveau.',
  apiDocs: `Envoyez et listez des photos depuis votre propre programme : chaque appel de l’API de ${productName}, avec des exemples en curl et en TypeScript, les limites, les erreurs et les webhooks.`,
  privacy: `Quelles données ${productName} conserve sur les utilisateurs et les invités, pourquoi, combien de temps, et quels sont vos droits.`,
  terms: `Les conditions d’utilisation de ${productName} : formules, paiement, résiliation, vos photos et nos responsabilités.`,
}
