import type { readiness as english } from '../en/readiness.ts'

const photos = (count: string): string => (count === '0' || count === '1' ? `${count} photo` : `${count} photos`)

/** The section "Ready for tonight?" in Settings. */
export const readiness: typeof english = {
  name: 'Tout prêt pour ce soir ?',
  lead: 'À vérifier avant l’arrivée du premier invité.',
  start: 'Vérifier maintenant',
  again: 'Vérifier à nouveau',
  results: 'Résultats de la vérification',
  states: { ok: 'OK', attention: 'À revoir', pending: 'En attente', idle: 'Pas encore vérifié' },
  email: {
    title: 'E-mails',
    idle: (address) => `La vérification envoie un e-mail de test à ${address}.`,
    sending: 'L’e-mail de test est en route vers le serveur de messagerie.',
    delayed: (reason) => `L’e-mail de test est en attente. ${reason}`,
    sent: (time, address) =>
      `Le serveur de messagerie a accepté l’e-mail de test à ${time}. Vérifiez qu’il arrive bien à l’adresse ${address}.`,
    outbox: (time) =>
      `Conservé comme fichier dans le dossier d’envoi du serveur à ${time} : aucun serveur de messagerie n’est configuré, les invités ne reçoivent donc pas d’e-mails.`,
    failed: (reason) => `L’e-mail de test n’a pas été accepté. ${reason}`,
    failedUnknown: 'Demandez à l’exploitant de ce site de vérifier le serveur de messagerie.',
    notSent: 'L’e-mail de test n’a pas pu être envoyé. Veuillez réessayer.',
    unknown: 'Impossible de savoir ce qu’est devenu l’e-mail de test.',
  },
  code: {
    title: 'Scan',
    idle: 'La vérification affiche un code. Scannez-le avec un téléphone comme en ont vos invités, sur le réseau qu’ils utiliseront.',
    scan: 'Scannez ce code avec un téléphone.',
    alt: 'Code de test',
    opened: (time) => `Un téléphone a ouvert le code à ${time}. Ce site est accessible à vos invités.`,
    expired: 'Le code a expiré. Relancez la vérification pour en obtenir un autre.',
    hint: 'Rien ne se passe quand vous le scannez ? Alors ce site n’est pas accessible depuis le réseau du téléphone.',
    failed: 'Le code n’a pas pu être créé. Veuillez réessayer.',
  },
  photos: {
    title: 'Photos',
    ok: (left, until) => `Encore ${photos(left)} jusqu’au ${until}.`,
    few: (left, most, until) =>
      `Plus que ${photos(left)} sur ${most} jusqu’au ${until}. Une formule supérieure en offre davantage.`,
    none: (until) => `Plus aucune photo jusqu’au ${until}. Les nouvelles attendent dans la file d’envoi.`,
  },
  storage: {
    title: 'Stockage',
    ok: (left) => `Il reste ${left}.`,
    few: (left, most) => `Il ne reste que ${left} sur ${most}. Supprimez des photos ou prenez une formule supérieure.`,
    none: 'Plein. Les nouvelles photos attendent dans la file d’envoi que vous en supprimiez d’autres.',
  },
  plan: {
    title: 'Formule',
    free: (name) => `${name}, sans date de fin.`,
    renews: (name, date) => `${name}, se renouvelle le ${date}.`,
    ends: (name, date) => `${name}, se termine le ${date}.`,
    endsSoon: (name, date, next) => `${name} se termine le ${date}. Vous passerez ensuite à ${next}.`,
    pastDue: (name, date) => `Il manque un paiement. ${name} continue jusqu’au ${date}.`,
  },
  connection: {
    title: 'Connexion en direct',
    ok: (time) => `Connectée. Dernier contact à ${time}. Les nouvelles photos apparaissent aussitôt.`,
    connecting: 'Connexion au serveur.',
    lost: 'Non connectée. Les nouvelles photos apparaissent dans la minute au lieu d’apparaître aussitôt.',
  },
  planUnknown: 'Votre formule ne peut pas être chargée pour le moment.',
  actions: {
    plans: 'Voir les formules',
    gallery: 'Ouvrir la galerie',
    subscription: 'Voir votre formule',
  },
}
