import { nameChars } from '@keepsnap/contract/form-rules.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/settings.ts'

export const account: typeof english.account = {
  title: 'Paramètres',
  sections: 'Rubriques des paramètres',
  profileTitle: 'Votre profil',
  edit: 'Modifier le profil',
  username: 'Nom d’utilisateur',
  email: 'E-mail',
  tier: 'Type d’abonnement',
  tiers: { free: 'Free', pro: 'Pro' },
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  plan: { name: 'Abonnement' },
  profile: {
    name: 'Profil',
    lead: 'Les informations de votre compte. Vos invités ne voient que le nom de marque.',
    save: 'Enregistrer',
    username: {
      label: 'Nom d’utilisateur',
      hint: 'Visible uniquement par vous et les exploitants de ce site.',
      saved: 'Nom d’utilisateur enregistré',
      failed: 'Le nom d’utilisateur n’a pas pu être enregistré. Veuillez réessayer.',
    },
    brandName: {
      label: 'Nom de marque (facultatif)',
      hint: 'Vos invités le voient dans les e-mails avec vos photos.',
      afterConfirming: 'Il sera utilisé dès que votre adresse e-mail sera confirmée.',
      saved: 'Nom de marque enregistré',
      failed: 'Le nom de marque n’a pas pu être enregistré. Veuillez réessayer.',
    },
    timeZone: {
      label: 'Fuseau horaire',
      hint: 'Pour les heures indiquées dans les e-mails, le nom des photos que vos invités enregistrent et les soirées de la galerie et des statistiques.',
      server: 'Celui du serveur',
      saved: 'Fuseau horaire enregistré',
      failed: 'Le fuseau horaire n’a pas pu être enregistré. Veuillez réessayer.',
    },
    verified: 'Confirmée',
    unverified:
      'Cette adresse n’est pas encore confirmée. Cliquez sur le lien de l’e-mail que nous avons envoyé, ou demandez-en un nouveau.',
    resend: 'Renvoyer l’e-mail',
    resent: (email) => `Nous avons envoyé un e-mail à ${email}.`,
    change: 'Changer d’adresse',
  },
  changeEmail: {
    title: 'Changer d’adresse e-mail',
    lead: 'Nous envoyons un lien de confirmation à la nouvelle adresse. L’adresse actuelle reste valable jusqu’à ce que vous cliquiez dessus.',
    email: 'Nouvelle adresse e-mail',
    emailNeeded: 'Veuillez indiquer une adresse e-mail, par exemple nom@example.com.',
    emailSame: 'C’est déjà votre adresse.',
    password: 'Votre mot de passe',
    passwordNeeded: 'Veuillez saisir votre mot de passe.',
    submit: 'Envoyer le lien',
    sent: (email) =>
      `Nous avons envoyé un e-mail à ${email}. Votre adresse changera quand vous cliquerez sur le lien qu’il contient.`,
  },
}

const problems = (chars: number) => ({
  missing: 'Veuillez saisir un nom',
  long: `Utilisez au plus ${chars} caractères`,
  characters: 'Le nom contient des retours à la ligne ou des caractères invisibles. Saisissez-le à nouveau',
  link: 'Le nom ne peut contenir ni lien ni adresse e-mail. Ajoutez un espace après un point',
})

export const names: typeof english.names = {
  brandName: problems(nameChars.brandName),
  username: problems(nameChars.username),
  apiKey: { ...problems(nameChars.apiKey), missing: 'Donnez un nom à votre clé d’API' },
}

export const security: typeof english.security = {
  name: 'Sécurité',
  genericError: 'Une erreur s’est produite. Veuillez réessayer.',
  password: {
    title: 'Mot de passe',
    hint: 'En le changeant, vous vous déconnectez de tous les autres appareils.',
    change: 'Changer de mot de passe',
    current: 'Mot de passe actuel',
    currentNeeded: 'Veuillez saisir votre mot de passe actuel.',
    password: 'Nouveau mot de passe',
    confirm: 'Confirmez le mot de passe',
    submit: 'Enregistrer le mot de passe',
    done: 'Votre mot de passe a été modifié. Les autres appareils sont déconnectés.',
  },
  confirmation: {
    password: 'Votre mot de passe',
    passwordHint: `Nous ne vous le redemanderons pas pendant ${accountLimits.passwordMinutes} minutes.`,
    passwordNeeded: 'Veuillez saisir votre mot de passe.',
    passwordFailed: 'Votre mot de passe n’a pas pu être vérifié. Veuillez réessayer.',
  },
  access: {
    title: 'Vérifiez ce qui a encore accès',
    lead: 'Ce qui figure ici continue de fonctionner après un changement de mot de passe. Supprimez ce que vous ne connaissez pas ou n’utilisez plus. Ce qui a été créé depuis votre mot de passe précédent est sélectionné.',
    endAllLead:
      'Ce qui figure ici continue de fonctionner si vous ne le supprimez pas aussi. Ce qui a été créé depuis votre dernier changement de mot de passe est sélectionné.',
    list: 'Clés d’API et webhooks',
    key: (name) => `Clé d’API « ${name} »`,
    webhook: (host) => `Webhook vers ${host}`,
    listWithGrants: 'Clés d’API, webhooks, liens et assistants d’événements',
    grant: (address, event) => `Lien vers toutes les photos de « ${event} » pour ${address}`,
    helper: (name, event) => `Assistant ${name} de « ${event} »`,
    created: (date) => `Création : ${date}`,
    used: (when) => `Dernière utilisation : ${when}`,
    neverUsed: 'Aucune utilisation',
    delete: (count) => `Supprimer la sélection (${count})`,
    deleteAndEndAll: (count) => `Supprimer la sélection (${count}) et déconnecter`,
    keepAll: 'Tout garder',
    done: 'Suppression terminée. Ces accès cessent de fonctionner dans la seconde.',
    failed: 'La suppression n’a pas abouti. Veuillez réessayer.',
  },
  sessions: {
    title: (count, one) => (one ? '1 appareil connecté' : `${count} appareils connectés`),
    loading: 'Vos appareils connectés',
    failed: 'La liste des appareils n’a pas pu être chargée.',
    show: 'Voir les appareils',
    hide: 'Masquer les appareils',
    thisDevice: 'Cet appareil',
    used: (when) => `Dernière utilisation le ${when}`,
    since: (when) => `Connecté depuis le ${when}`,
    unknown: 'Appareil inconnu',
    browserOnSystem: (browser, system) => `${browser} sur ${system}`,
    browser: 'Navigateur',
    end: 'Déconnecter',
    endOne: (device) => `Déconnecter : ${device}`,
    ended: 'L’appareil a été déconnecté.',
    endAll: 'Tout déconnecter',
    endAllQuestion:
      'Déconnecter tous les appareils, y compris celui-ci ? Les liens vers les photos en pleine résolution que vous avez partagés ne fonctionneront plus.',
    endedAll: 'Tous vos appareils sont déconnectés.',
  },
  data: {
    title: 'Vos données',
    hint: 'Tout ce que nous conservons sur vous, dans un seul fichier. Nous vous envoyons le lien par e-mail.',
    start: 'Exporter mes données',
    again: 'Créer un nouveau fichier',
    queued: (email) => `Nous préparons votre fichier. Nous enverrons le lien à ${email}.`,
    ready: (size, until) => `Votre fichier de ${size} est prêt. Le lien de l’e-mail fonctionne jusqu’au ${until}.`,
    failed: 'Le fichier n’a pas pu être créé. Veuillez réessayer.',
    loadFailed: 'L’état de votre fichier n’a pas pu être chargé.',
  },
  deletion: {
    title: 'Supprimer le compte',
    hint: 'Vos photos, codes et demandes seront supprimés aussi.',
    question: 'Cette action est irréversible. Seront supprimés définitivement :',
    photos: (count, one) => (one ? 'votre photo' : `vos ${count} photos`),
    noPhotos: 'votre compte et ses paramètres',
    codes: 'tous les codes imprimés ou partagés (ils ne fonctionneront plus)',
    requests: 'les demandes et les adresses e-mail de vos invités',
    brand: 'votre logo, votre image de fond et vos exports de données',
    exportFirst: 'Vous pouvez d’abord exporter vos données.',
    submit: 'Supprimer mon compte',
    done: 'Votre compte a été supprimé. Nous vous avons envoyé un e-mail de confirmation.',
  },
}

export const settings: typeof english.settings = {
  askForEmail: {
    label: 'Demander une adresse e-mail',
    hint: 'Les invités indiquent une adresse et reçoivent la photo par e-mail. Cela vaut aussi pour les codes déjà imprimés.',
    saved: 'Réglage enregistré',
    failed: 'Le réglage n’a pas pu être enregistré. Veuillez réessayer.',
  },
  photos: 'Photos',
  watermark: {
    label: 'Filigrane',
    hint: 'Place votre logo sur les nouvelles photos. Nécessite un logo et une formule Pro.',
    saved: 'Réglage du filigrane enregistré',
    failed: 'Le réglage du filigrane n’a pas pu être enregistré',
  },
  watermarkLayout: {
    size: 'Taille',
    sizes: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
    strength: 'Intensité',
    strengths: { light: 'Légère', medium: 'Moyenne', strong: 'Forte' },
    corner: 'Position',
    corners: {
      'top-left': 'En haut à gauche',
      'top-right': 'En haut à droite',
      center: 'Au centre',
      'bottom-left': 'En bas à gauche',
      'bottom-right': 'En bas à droite',
    },
  },
  mail: 'E-mail',
  preferences: {
    saved: 'Préférences d’e-mail enregistrées',
    failed: 'Les préférences d’e-mail n’ont pas pu être enregistrées',
  },
  news: { label: 'Nouveautés', hint: 'Un court e-mail quand une nouveauté est prête. Quelques fois par an.' },
  offers: { label: 'Offres', hint: 'Réductions et offres de saison.' },
  removals: {
    label: 'Avant la suppression d’adresses',
    hint: 'Un e-mail quand 20 adresses d’invités ou plus seront supprimées dans les 14 jours. Au plus un par mois.',
  },
  service:
    'Les e-mails indispensables au compte, comme ceux pour un nouveau mot de passe, sont toujours envoyés et ne contiennent aucune publicité.',
}
