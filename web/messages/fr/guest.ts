import type { guest as english } from '../en/guest.ts'

/** The pages for guests: people who scanned a code or opened a link in an email and don't know the product. */
export const guest: typeof english = {
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
