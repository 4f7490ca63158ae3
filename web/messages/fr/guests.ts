import type * as english from '../en/guests.ts'

export const guest: typeof english.guest = {
  titles: {
    request: 'Recevez votre photo',
    photo: 'Votre photo',
    sample: 'Photo d’exemple',
    reported: 'Signaler cette photo',
    gone: 'Photo indisponible',
    expired: 'Lien expiré',
    unsubscribe: 'Photos par e-mail',
    unknown: 'Lien non valide',
    unavailable: 'Momentanément indisponible',
  },
  descriptions: {
    request: 'Indiquez votre adresse e-mail et nous vous envoyons la photo.',
    photo: 'Votre photo est prête, il ne reste qu’à l’enregistrer.',
    sample: 'Une photo d’exemple, telle que les invités la reçoivent.',
    other: 'Scannez un code, recevez la photo.',
  },
  yourPhoto: 'Votre photo',
  madeWith: 'Créé avec',
  request: {
    heading: 'Où envoyer votre photo ?',
    label: 'Votre adresse e-mail',
    placeholder: 'nom@example.com',
    send: 'Recevoir la photo',
    sending: 'Envoi en cours',
    cancel: 'Annuler',
    consent: 'Votre adresse sert uniquement à vous envoyer cette photo.',
    privacy: 'Politique de confidentialité',
    failed: 'La demande n’a pas pu être envoyée. Veuillez réessayer plus tard.',
    offline: 'Vous semblez être hors ligne. Vérifiez votre connexion et réessayez.',
    problems: {
      missing: 'Veuillez indiquer votre adresse e-mail',
      at: 'Indiquez une adresse complète, par exemple nom@example.com',
      ending: 'Il manque la fin de l’adresse, par exemple .com',
      several: 'Indiquez une seule adresse',
      space: 'L’adresse contient un espace',
      characters: 'L’adresse contient des caractères non autorisés',
      long: 'L’adresse est trop longue',
      form: 'Cela ne ressemble pas à une adresse e-mail',
    },
    tellMe: 'Prévenez-moi aussi quand la galerie est ouverte',
    // A field that only bots see and fill in.
    honeypot: 'Laissez ce champ vide',
    emailOff: {
      heading: 'L’envoi de photos n’est pas encore possible ici',
      lead: 'L’envoi d’e-mails n’est pas configuré. Demandez à la personne qui a partagé le code comment obtenir la photo autrement.',
    },
  },
  sent: {
    heading: 'Demande envoyée !',
    toast: 'Votre demande est bien enregistrée ! Consultez votre boîte de réception.',
    onItsWay: 'Votre photo est en route vers',
    arrival:
      'Elle arrive en général en moins d’une minute, un peu plus si beaucoup d’invités en demandent en même temps.',
    afterProcessing: 'Nous l’envoyons dès qu’elle est prête.',
    spam: 'Rien reçu ? Vérifiez vos courriers indésirables et l’adresse ci-dessus.',
    another: 'Envoyer à une autre adresse',
  },
  wait: {
    processing: 'Photo en préparation.',
    automatic: 'Elle s’affichera ici toute seule.',
    ready: 'Votre photo est prête.',
    checkAgain: 'Vérifier à nouveau',
  },
  save: {
    download: 'Télécharger',
    save: 'Enregistrer',
    fetching: 'Récupération de la photo',
    tapAgain: 'Votre photo est prête. Touchez à nouveau Enregistrer.',
    nothingHappened: 'Rien ne se passe ? Appuyez longuement sur la photo, ou ouvrez cette page dans votre navigateur.',
    downloadFile: 'Télécharger le fichier',
    share: 'Partager',
    expires: 'ce lien fonctionne jusqu’au',
  },
  sample: {
    note: 'Une photo d’exemple. Lors d’une fête, c’est ici que les invités enregistrent la leur.',
    demo: 'Voir le grand écran',
  },
  gone: {
    photo: {
      heading: 'Impossible d’afficher cette photo',
      reason: 'La photo n’a pas pu être chargée. Elle n’existe peut-être plus ou est privée.',
      advice: 'Si elle vous est destinée, demandez-la à la personne qui l’a prise.',
    },
    expired: {
      heading: 'Ce lien a expiré',
      advice: (hours) =>
        `Les liens vers les photos fonctionnent pendant ${hours} heures. Scannez à nouveau le code pour en obtenir un autre.`,
    },
    unsubscribe: {
      heading: 'Ce lien n’est pas valide',
      advice: 'Il est peut-être incomplet. Rouvrez-le depuis l’e-mail ou copiez le lien entier dans votre navigateur.',
    },
    unavailable: {
      heading: 'Un instant, s’il vous plaît',
      advice: 'Cette page ne peut pas s’afficher pour le moment. Rien n’est perdu : elle se recharge toute seule.',
      sendAgain: 'L’envoi n’a pas abouti. Veuillez revenir en arrière et réessayer dans une minute.',
    },
    home: 'Retour à l’accueil',
  },
  unsubscribe: {
    ask: {
      heading: 'Ne plus recevoir de photos ?',
      lead: (host) =>
        `Quelqu’un a indiqué votre adresse e-mail sur une page photo de ${host}. ` +
        `Cliquez sur le bouton pour que ${host} n’envoie plus de photos à cette adresse.`,
      note: 'Vous pourrez changer d’avis ici même. Les e-mails liés à votre propre compte ne sont pas concernés.',
      button: 'Ne plus recevoir de photos',
    },
    stopped: {
      heading: 'Vous ne recevrez plus de photos',
      lead: (host) => `${host} n’enverra plus de photos à votre adresse, même si quelqu’un en demande.`,
      note: 'Si vous changez d’avis, rouvrez le lien de l’e-mail.',
      button: 'Recevoir à nouveau des photos',
    },
    allowed: {
      heading: 'Vous recevrez à nouveau des photos',
      lead: (host) =>
        `Quand quelqu’un indiquera votre adresse sur une page photo de ${host}, nous y enverrons la photo.`,
      note: 'Vous pouvez les refuser à tout moment avec le lien présent dans chacun de ces e-mails.',
    },
  },
  report: {
    open: 'Signaler cette photo',
    heading: 'Quel est le problème avec cette photo ?',
    reasons: {
      me: 'J’y figure et je ne veux pas qu’elle soit montrée',
      child: 'Elle montre un enfant qui ne devrait pas y figurer',
      hurtful: 'Elle est blessante ou dégradante',
      illegal: 'Elle est peut-être illégale',
      other: 'Autre chose',
    },
    note: 'Un détail à ajouter ? (facultatif)',
    send: 'Envoyer le signalement',
    sending: 'Envoi en cours',
    choose: 'Veuillez choisir un motif.',
    failed: 'Le signalement n’a pas pu être envoyé. Veuillez réessayer.',
    thanks: 'Merci',
    thanksLead:
      'Votre signalement a été transmis à la personne responsable de cette photo. Elle ne saura pas qui l’a envoyé.',
    back: 'Retour à la photo',
  },
}

const photos = (count: string): string => (count === '0' || count === '1' ? `${count} photo` : `${count} photos`)

export const readiness: typeof english.readiness = {
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

export const reports: typeof english.reports = {
  heading: 'Photos signalées',
  lead: 'Une photo masquée devient aussitôt inaccessible aux invités : ses codes, ses pages et les liens des e-mails ne fonctionnent plus. Vous la voyez toujours et pouvez l’afficher à nouveau.',
  reasons: {
    me: 'J’y figure et je ne veux pas qu’elle soit montrée',
    child: 'Elle montre un enfant',
    hurtful: 'Elle est blessante',
    illegal: 'Elle est peut-être illégale',
    other: 'Un autre motif',
  },
  badges: { open: 'À examiner', hide: 'Masquée aux invités', keep: 'Visible', operator: 'Masquée par l’exploitant' },
  inGallery: 'dans la galerie',
  label: (name) => `Signalements de ${name}`,
  more: (count) => (count < 2 ? `${count} autre signalement` : `${count} autres signalements`),
  hide: 'Masquer aux invités',
  keep: 'Laisser visible',
  show: 'Afficher à nouveau',
  mistake: 'Vous pensez qu’il s’agit d’une erreur ?',
  support: 'Contacter l’assistance',
  undo: 'Annuler',
  done: {
    hide: 'Masquée. Les invités ne peuvent plus l’ouvrir.',
    keep: 'Les invités peuvent l’ouvrir. Ses signalements sont clos.',
    undo: 'Les invités peuvent à nouveau l’ouvrir. Elle reste à examiner.',
    staysHidden: 'Elle reste masquée aux invités.',
  },
  notice: {
    label: 'Photos signalées',
    heading: 'Un invité a signalé cette photo',
    more: (photos) => (photos < 2 ? `et ${photos} autre photo` : `et ${photos} autres photos`),
    review: 'Examiner',
    dismiss: 'Plus tard',
  },
  sign: (photos) => (photos < 2 ? `${photos} photo signalée` : `${photos} photos signalées`),
  confirmShow: {
    title: 'Afficher à nouveau cette photo ?',
    question: 'Les invités pourront à nouveau l’ouvrir par ses codes, ses pages et ses e-mails.',
    confirm: 'Afficher à nouveau',
  },
  reviewed: (count) => (count < 2 ? `${count} photo examinée` : `${count} photos examinées`),
  errors: {
    decide: 'Votre décision n’a pas pu être enregistrée. Veuillez réessayer.',
    undo: 'L’annulation a échoué. Veuillez réessayer.',
  },
}

export const requests: typeof english.requests = {
  title: 'Demandes de photos',
  summary: {
    all: (count, written) => (count < 2 ? `${written} demande` : `${written} demandes`),
    sent: (written) => (written === '0' || written === '1' ? `${written} envoyée` : `${written} envoyées`),
    failed: (written) => `${written} en échec`,
    pending: (written) => `${written} en attente`,
    list: (parts) => parts.join(', '),
  },
  refresh: 'Actualiser',
  export: 'Exporter en CSV',
  columns: { requester: 'Adresse', photo: 'Photo', requested: 'Demandée', state: 'État', action: 'Action' },
  states: { queued: 'À envoyer', sent: 'Envoyée', failed: 'Échec', waiting: 'Reportée' },
  nextAttempt: (when) => `Prochain essai le ${when}`,
  scheduledFor: (when) => `Envoi prévu le ${when}`,
  inGallery: 'dans la galerie',
  view: 'Voir la photo',
  resend: 'Renvoyer',
  resendTo: (address) => `Renvoyer à ${address}`,
  more: 'Afficher plus',
  search: 'Rechercher par adresse e-mail',
  filter: 'État',
  allStates: 'Tous les états',
  found: (count, written) => (count < 2 ? `${written} demande trouvée` : `${written} demandes trouvées`),
  noMatch: 'Aucune demande trouvée.',
  showAll: 'Afficher toutes les demandes',
  exportsAll: 'Le fichier CSV contient toutes les demandes, pas seulement celles trouvées.',
  removal: (day, count, written) =>
    count === 1
      ? `Le ${day}, 1 adresse sera supprimée. Exportez-la d’abord si vous en avez besoin.`
      : `Le ${day}, ${written} adresses seront supprimées. Exportez-les d’abord si vous en avez besoin.`,
  loadingMore: 'Chargement d’autres demandes',
  resendAll: 'Renvoyer tous les échecs',
  resendFailed: {
    title: 'Renvoyer tous les e-mails en échec ?',
    question: (count, written) =>
      count === 1 ? '1 e-mail a échoué et sera renvoyé.' : `${written} e-mails ont échoué et seront renvoyés.`,
    details:
      'Les invités qui se sont désabonnés et les photos masquées ou qui n’ont pas pu être traitées sont laissés de côté. Les limites d’e-mails s’appliquent : certains partiront plus tard.',
    confirm: 'Renvoyer',
    queued: (count, written) => (count < 2 ? `${written} e-mail est renvoyé.` : `${written} e-mails sont renvoyés.`),
    waiting: (count, written) =>
      count === 1
        ? '1 e-mail partira plus tard à cause d’une limite.'
        : `${written} e-mails partiront plus tard à cause d’une limite.`,
    refused: (count, written) =>
      count === 1 ? '1 e-mail ne peut pas être renvoyé.' : `${written} e-mails ne peuvent pas être renvoyés.`,
    left: (count, written) =>
      count === 1
        ? 'Il reste 1 e-mail en échec. Renvoyez-le ensuite.'
        : `Il reste ${written} e-mails en échec. Renvoyez-les ensuite.`,
    none: 'Il ne reste aucun e-mail en échec.',
  },
  empty: 'Pas encore de demandes. Elles apparaissent ici quand un invité demande une photo.',
  askForEmail: 'Demander une adresse e-mail',
  filename: (day) => `demandes-de-photos-${day}.csv`,
  errors: {
    load: 'Les demandes n’ont pas pu être chargées. Veuillez réessayer.',
    more: 'La suite des demandes n’a pas pu être chargée. Veuillez réessayer.',
    resend: 'L’e-mail n’a pas pu être renvoyé. Veuillez réessayer.',
    resendAll: 'Les e-mails n’ont pas pu être renvoyés. Certains l’ont peut-être été. Veuillez réessayer.',
    export: 'Les demandes n’ont pas pu être exportées. Veuillez réessayer.',
  },
}
