import { billingLimits } from '@keepsnap/contract/limits.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/emails.ts'

export const csv: typeof english.csv = {
  words: {
    'API key': 'clé d’API',
    'Added by': 'Ajoutée par',
    Attempts: 'Essais',
    Consent: 'Consentement',
    'Created (UTC)': 'Créé (UTC)',
    'Decided (UTC)': 'Décidé (UTC)',
    'Decision of an operator': 'Décision de l’exploitant',
    Downloads: 'Téléchargements',
    Evening: 'Soirée',
    Event: 'Événement',
    'Event ID': 'ID de l’événement',
    'Event of the photo': 'Événement de la photo',
    Files: 'Fichiers',
    'Finished (UTC)': 'Terminé (UTC)',
    'Guests who joined': 'Invités qui participent',
    Height: 'Hauteur',
    'Hidden from guests': 'Masquée aux invités',
    Hour: 'Heure',
    'Hour (UTC)': 'Heure (UTC)',
    'Last answer': 'Dernière réponse',
    'Last error': 'Dernière erreur',
    'Message of the operator': 'Message de l’exploitant',
    Name: 'Nom',
    'Per 100 scans': 'Pour 100 scans',
    Photo: 'Photo',
    'Photo ID': 'ID de la photo',
    'Photos added': 'Photos ajoutées',
    Reason: 'Raison',
    Replay: 'Renvoi',
    'Requested (UTC)': 'Demandée (UTC)',
    Requester: 'Adresse',
    Requests: 'Demandes',
    Review: 'Examen',
    Scans: 'Scans',
    'Scans of photos': 'Scans de photos',
    'Scans of the event': 'Scans de l’événement',
    'Sent (UTC)': 'Envoyée (UTC)',
    State: 'État',
    'Taken (UTC)': 'Prise (UTC)',
    'Uploaded (UTC)': 'Importée (UTC)',
    Views: 'Vues',
    'Webhook ID': 'ID du webhook',
    Width: 'Largeur',
    approved: 'approuvée',
    cancelled: 'annulé',
    delivered: 'livré',
    failed: 'échec',
    guest: 'invité',
    hide: 'masquer',
    no: 'non',
    photo: 'photo',
    photos: 'photos',
    queued: 'à envoyer',
    ready: 'prête',
    rejected: 'refusée',
    sent: 'envoyée',
    show: 'afficher',
    waiting: 'en attente',
    yes: 'oui',
    you: 'vous',
  },
}

export const emails: typeof english.emails = {
  operator: (name) => `Envoyé avec ${productName}, exploité par ${name}.`,
  beforeLink: (link) => `${link} :`,
  copyLink: 'Si le bouton ne fonctionne pas, copiez ce lien dans votre navigateur :',
  settings: 'Ouvrir les paramètres',
  pricing: 'Voir les formules',
  /** What emails about the security of an account have in common. */
  security: {
    preview: 'Si c’était vous, vous n’avez rien à faire.',
    button: 'Choisir un mot de passe',
    reason: (host) => `Vous recevez cet e-mail parce qu’il concerne la sécurité de votre compte sur ${host}.`,
  },
  /** After a key or a webhook was created. */
  accessHint:
    'Si c’était vous, vous n’avez rien à faire. Sinon, choisissez un nouveau mot de passe sans attendre. En vous connectant avec lui, vous pourrez supprimer les clés d’API et les webhooks qui ne sont pas les vôtres.',
  photo: {
    subject: (brandName) =>
      brandName === null ? 'La photo que vous avez demandée' : `Votre photo, de la part de ${brandName}`,
    sender: (brandName) => `${brandName ?? 'Un photographe'}, via ${productName}`,
    heading: 'Voici votre photo',
    pictureAlt: 'Votre photo',
    lead: 'Ouvrez-la et enregistrez-la sur votre téléphone.',
    attached: 'Elle est aussi jointe à cet e-mail.',
    button: 'Ouvrir ma photo',
    expiry: (when) => `Le lien fonctionne jusqu’au ${when}.`,
    file: (name) => `Fichier : ${name}`,
    reason: (host) =>
      `Vous recevez cet e-mail parce que votre adresse a été indiquée sur une page photo de ${host}. ` +
      `Elle nous sert uniquement à envoyer cette photo.`,
    unsubscribe: {
      // Two sentences, because the second is a link.
      ignore:
        'Si ce n’était pas vous, ignorez simplement cet e-mail. Nous n’enverrons plus de photos, sauf si votre adresse est à nouveau indiquée.',
      link: 'Ou ne plus recevoir de photos à cette adresse',
    },
  },
  webhookDisabled: {
    subject: (host) => `Votre webhook vers ${host} a été désactivé`,
    preview: 'Rien n’a été accepté depuis une journée.',
    heading: 'Un webhook a été désactivé',
    lead: (host, since) =>
      `Depuis le ${since}, ${host} n’a accepté aucun des événements que nous avons envoyés, et nous avons essayé pendant une journée.`,
    hint: 'Plus rien n’y est envoyé. Dans les paramètres, vous pouvez voir ce qui a échoué, réactiver le webhook et renvoyer ce qui n’est pas arrivé.',
    reason: (host) => `Vous recevez cet e-mail parce que ce webhook fait partie de votre compte sur ${host}.`,
  },
  guestPhotos: {
    waiting: {
      subject: (count, event) => `${count} photos d’invités vous attendent : ${event}`,
      preview: 'Les invités les verront quand vous les aurez acceptées.',
      heading: 'Des photos d’invités vous attendent',
      lead: (count, event) => `Les invités de ${event} ont ajouté ${count} photos que personne n’a encore regardées.`,
      hint: 'Elles seront montrées aux autres dès que vous les acceptez. D’ici là, seules vous et la personne qui les a ajoutées peuvent les voir.',
    },
    full: {
      subject: (event) => `Les invités ne peuvent plus ajouter de photos : ${event}`,
      preview: 'Vos propres envois continuent comme avant.',
      heading: 'Les invités ne peuvent plus ajouter de photos',
      lead: (event) =>
        `Les photos que les invités peuvent ajouter à ${event} sont épuisées : celles de l’événement, celles de votre formule ce mois-ci, ou la part de votre espace que les invités peuvent remplir.`,
      hint: 'Vos propres envois continuent comme avant. Vous pouvez autoriser plus de photos pour l’événement, en refuser quelques-unes ou choisir une formule plus grande.',
    },
    button: 'Voir les photos',
    reason: (host) =>
      `Vous recevez cet e-mail parce que des invités ajoutent des photos à un événement de votre compte sur ${host}.`,
    unsubscribe: {
      ignore: 'Nous envoyons chacun de ces e-mails au plus une fois par jour et par événement.',
      link: 'Désactiver ces e-mails sur la page de l’événement',
    },
  },
  requestRemoval: {
    subject: (count) => `${count} adresses e-mail d’invités seront bientôt supprimées`,
    preview: (day) => `Les premières le ${day}. D’ici là, vous pouvez les exporter.`,
    heading: 'Des adresses d’invités seront bientôt supprimées',
    lead: (count, day, days) =>
      `Les demandes de vos photos sont conservées pendant ${days.kept} jours. ${count} adresses e-mail seront supprimées dans les ${days.soon} prochains jours, les premières le ${day}.`,
    hint: 'Si vous en avez besoin, exportez-les d’abord : la page Demandes de photos a le bouton Exporter en CSV.',
    button: 'Ouvrir les demandes de photos',
    reason: (host) =>
      `Vous recevez cet e-mail parce que des invités ont demandé des photos de votre compte sur ${host}.`,
    unsubscribe: {
      ignore: 'Nous l’envoyons au plus une fois par mois.',
      link: 'Désactiver ces e-mails dans les paramètres',
    },
  },
  reset: {
    subject: 'Choisissez un nouveau mot de passe',
    preview: 'Le lien fonctionne une seule fois, pendant 30 minutes.',
    lead: 'Quelqu’un (vous, sans doute) a demandé à réinitialiser le mot de passe de votre compte.',
    button: 'Choisir un mot de passe',
    expiry: (when) =>
      `Le lien fonctionne une seule fois, jusqu’au ${when}. Si vous en demandez un autre, seul le dernier fonctionne.`,
    reason: (host) =>
      `Vous recevez cet e-mail parce qu’un nouveau mot de passe a été demandé pour cette adresse sur ${host}. ` +
      `Si ce n’était pas vous, ignorez simplement cet e-mail : votre mot de passe ne change pas.`,
  },
  verify: {
    subject: 'Confirmez votre adresse e-mail',
    preview: 'Un clic suffit pour confirmer votre adresse.',
    heading: 'Est-ce bien votre adresse ?',
    lead: 'Confirmez-la pour que nous puissions envoyer des e-mails à vos invités et vous aider à retrouver l’accès à votre compte.',
    button: 'Confirmer mon adresse',
    expiry: (when) => `Le lien fonctionne une seule fois, jusqu’au ${when}.`,
    reason: (host) =>
      `Vous recevez cet e-mail parce qu’un compte a été créé sur ${host} avec cette adresse. ` +
      `Si ce n’était pas vous, ignorez simplement cet e-mail.`,
  },
  change: {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    heading: 'Est-ce bien votre nouvelle adresse ?',
    lead: 'Confirmez-la pour l’utiliser avec votre compte. D’ici là, rien ne change.',
    button: 'Utiliser cette adresse',
    reason: (host) =>
      `Vous recevez cet e-mail parce qu’une personne connectée sur ${host} a demandé à utiliser cette adresse. ` +
      `Si ce n’était pas vous, ignorez simplement cet e-mail.`,
  },
  archive: {
    subject: 'Vos données sont prêtes',
    preview: 'Tout le contenu de votre compte, dans un seul fichier.',
    lead: 'Tout le contenu de votre compte est dans un seul fichier : vos photos, les demandes de vos invités, vos paramètres et ce que vous avez accepté. Gardez le lien pour vous : toute personne qui l’a peut ouvrir le fichier.',
    button: 'Télécharger mes données',
    expiry: (when) => `Le lien fonctionne jusqu’au ${when}, autant de fois que vous voulez.`,
    reason: (host) => `Vous recevez cet e-mail parce que vous avez demandé vos données sur ${host}.`,
  },
  report: {
    subject: 'Un invité a signalé une de vos photos',
    subjectMany: (photos) => `Des invités ont signalé ${photos} de vos photos`,
    preview: 'À vous de décider si les invités peuvent encore l’ouvrir.',
    heading: 'Un invité a signalé une photo',
    headingMany: (photos) => `Des invités ont signalé ${photos} photos`,
    lead: (filename, reasons) => `Motif indiqué par un invité pour ${filename} : ${reasons}.`,
    leadMany: 'Chacune attend votre décision.',
    hint: 'Tant que vous n’avez pas décidé, les invités peuvent encore l’ouvrir avec son code. Un clic suffit pour la masquer, et vous pouvez l’afficher à nouveau.',
    hintMany:
      'Tant que vous n’avez pas décidé, les invités peuvent encore les ouvrir avec leurs codes. Un clic suffit pour masquer chacune, et vous pouvez l’afficher à nouveau.',
    button: 'Voir les signalements',
    reason: (host) =>
      `Vous recevez cet e-mail parce que les invités peuvent signaler des photos de votre compte sur ${host}. ` +
      `Le lien ouvre seulement la page : rien ne change tant que vous n’y cliquez pas sur un bouton.`,
    reasons: {
      me: 'il ou elle y figure et ne veut pas qu’elle soit montrée',
      child: 'elle montre un enfant',
      hurtful: 'elle est blessante',
      illegal: 'elle est peut-être illégale',
      other: 'autre',
    },
    and: ' ; ',
  },
  passwordChanged: {
    subject: 'Votre mot de passe a été modifié',
    lead: (when) =>
      `Le mot de passe de votre compte a été modifié le ${when}. Tous les appareils connectés ont été déconnectés.`,
    hint: 'Si c’était vous, vous n’avez rien à faire. Sinon, choisissez un nouveau mot de passe sans attendre :',
  },
  newSignIn: {
    subject: 'Nouvelle connexion à votre compte',
    lead: (when, device) =>
      `Un nouveau navigateur s’est connecté à votre compte le ${when}${device}. Il ne s’y était encore jamais connecté, ou ses cookies avaient été supprimés. Si c’était vous, vous n’avez rien à faire.`,
    signOut: (url) => `Si ce n’était pas vous, choisissez « Tout déconnecter » dans Paramètres : ${url}`,
    hint: 'Choisissez ensuite un nouveau mot de passe, car quelqu’un connaît l’actuel :',
  },
  apiKeyCreated: {
    subject: 'Une nouvelle clé d’API pour votre compte',
    heading: 'Une clé d’API a été créée',
    lead: (when, name) =>
      `La clé d’API « ${name} » a été créée le ${when}. Avec elle, on peut lire votre compte et vos photos, et en ajouter.`,
  },
  webhookCreated: {
    subject: 'Un nouveau webhook pour votre compte',
    heading: 'Un webhook a été configuré',
    lead: (when, name) => `Un webhook qui envoie les événements de votre compte à ${name} a été configuré le ${when}.`,
  },
  emailChanged: {
    subject: 'L’adresse e-mail de votre compte a été modifiée',
    heading: 'Votre adresse e-mail a été modifiée',
    lead: (when, address) =>
      `Le ${when}, l’adresse e-mail de votre compte a été modifiée${address && ` : c’est désormais ${address}`}. ` +
      `L’ancienne ne permet plus de se connecter.`,
    hint: (address) => `Si c’était vous, vous n’avez rien à faire. Sinon, écrivez au plus vite à ${address}.`,
    reason: (host) =>
      `Vous recevez cet e-mail parce que cette adresse était celle d’un compte sur ${host}. ` +
      `Vous ne recevrez plus d’e-mails concernant ce compte.`,
  },
  test: {
    subject: 'Vos e-mails arrivent',
    preview: 'Voici l’e-mail de test que vous avez demandé.',
    lead: (when) =>
      `Voici l’e-mail de test que vous avez demandé le ${when}. Les e-mails à vos invités sont envoyés de la même façon.`,
    reason: (host) => `Vous recevez cet e-mail parce que vous l’avez envoyé depuis vos paramètres sur ${host}.`,
  },
  accountDeleted: {
    subject: 'Votre compte a été supprimé',
    preview: 'Vos photos, codes et demandes sont supprimés aussi.',
    lead: (when) =>
      `Comme vous l’avez demandé le ${when}, nous avons supprimé votre compte avec ses photos, ses codes et ses demandes. Les codes imprimés ne fonctionnent plus.`,
    hint: 'Cette suppression est définitive. Les dernières copies disparaissent dans les 24 heures.',
    reason: (host) =>
      `Vous recevez cet e-mail parce que cette adresse était celle d’un compte sur ${host}. ` +
      `Vous ne recevrez plus d’e-mails concernant ce compte.`,
  },
  plan: {
    reason: (host) => `Vous recevez cet e-mail parce qu’il concerne ce que vous payez pour votre compte sur ${host}.`,
    demo: 'Les paiements sont ici une démonstration : aucune somme n’est réellement débitée.',
    perMonth: (price) => `${price} par mois`,
    perYear: (price) => `${price} par an`,
    started: {
      subject: (plan) => `Bienvenue dans la formule ${plan}`,
      preview: 'Vos nouvelles limites s’appliquent dès maintenant.',
      lead: (plan, price, date) => `Merci ! Vous avez la formule ${plan} pour ${price}. Prochain paiement le ${date}.`,
      hint: 'Vos nouvelles limites s’appliquent dès maintenant. Dans les paramètres, vous pouvez changer de formule, la résilier ou, dans les 30 jours suivant votre premier paiement, vous faire rembourser.',
      coveredPreview: 'Votre paiement est arrivé.',
      covered: (plan, better) =>
        `Votre formule offerte, ${better}, comprend davantage et continue ; ${plan} s’applique ensuite. Dans les paramètres, vous pouvez changer ou résilier ${plan} ou, dans les 30 jours suivant votre premier paiement, vous faire rembourser.`,
      withdraw: (place) =>
        `Vous pouvez vous rétracter de ce contrat dans les ${billingLimits.withdrawalDays} jours, sans motif, et ce que vous avez payé pour lui vous est remboursé. « Renoncer au contrat ici » se trouve au bas de chaque page : ${place}`,
    },
    firstPaymentFailed: {
      subject: 'Votre paiement a échoué',
      preview: 'Rien n’a été débité.',
      lead: (plan, price) =>
        `Votre paiement de ${price} pour ${plan} n’est pas arrivé. Rien n’a été débité et aucune formule n’a commencé.`,
      hint: 'Vous pouvez choisir à nouveau une formule à tout moment, y compris avec un autre moyen de paiement.',
    },
    paymentFailed: {
      subject: 'Votre paiement a échoué',
      preview: 'Comment garder votre formule.',
      lead: (plan, price) => `Nous n’avons pas pu débiter ${price} pour ${plan}.`,
      until: (date) => `Votre formule continue jusqu’au ${date}.`,
      hint: 'Pour la garder, mettez à jour votre carte dans les paramètres ; nous ferons ensuite une nouvelle tentative.',
      demoHint: 'Pour la garder, résiliez l’abonnement dans les paramètres, puis choisissez à nouveau une formule.',
    },
    changed: {
      subject: (plan) => `Votre formule est désormais ${plan}`,
      lead: (plan, price, date) => `Vous avez maintenant ${plan} pour ${price}. Prochain paiement le ${date}.`,
      hint: 'Ce qui restait de la période déjà payée est déduit du prix. Vos nouvelles limites s’appliquent dès maintenant.',
      covered: (better) =>
        `Ce qui restait de la période déjà payée est déduit du prix. Votre formule offerte, ${better}, comprend davantage et continue.`,
    },
    cancelled: {
      subject: 'Votre abonnement est résilié',
      preview: 'Plus aucun montant ne sera débité.',
      lead: (plan, date) => `Vous gardez ${plan} jusqu’au ${date}. Plus aucun montant ne sera débité.`,
      hint: 'D’ici là, vous pouvez le reprendre dans les paramètres.',
    },
    resumed: {
      subject: 'Votre abonnement continue',
      preview: 'Vous gardez votre formule.',
      lead: (plan, price, date) => `Vous gardez ${plan} pour ${price}. Prochain paiement le ${date}.`,
    },
    ended: {
      subject: (plan) => `${plan} a pris fin`,
      preview: 'Votre compte continue avec les limites de la formule Free.',
      lead: 'Plus aucun montant ne sera débité. Votre compte continue avec les limites de la formule Free, ou d’une formule offerte si vous en avez une.',
      hint: 'Vos codes continuent de fonctionner. Si vos photos occupent plus d’espace que vous n’en avez désormais, nous vous écrivons avant d’en supprimer. Vous pouvez choisir à nouveau une formule à tout moment.',
    },
    refunded: {
      subject: 'Votre remboursement',
      preview: (amount) => `Nous vous avons remboursé ${amount}.`,
      lead: (amount) => `Nous vous avons remboursé ${amount}. Le montant arrive sur votre carte dans les dix jours.`,
      hint: 'L’abonnement concerné a pris fin et plus rien ne sera débité.',
    },
  },
}

export const operatorEmails: typeof english.operatorEmails = {
  hidden: {
    subject: 'Une de vos photos a été masquée aux invités',
    preview: 'Pourquoi, et ce que vous pouvez faire.',
    heading: 'Une de vos photos a été masquée',
    lead: (filename, host, when) =>
      `L’exploitant de ${host} a masqué ${filename} aux invités le ${when}. Ses codes, ses pages et les liens des e-mails ne l’ouvrent plus.`,
    why: 'Un invité l’avait signalée, puis elle a été examinée.',
    hint: 'Dans votre galerie, vous voyez son emplacement et la raison, et vous pouvez la supprimer. Tant qu’elle est masquée, personne ne peut ouvrir la photo elle-même, pas même vous. Si vous pensez qu’il s’agit d’une erreur, contactez l’assistance.',
    button: 'Contacter l’assistance',
  },
  shown: {
    subject: 'Votre photo est de nouveau autorisée',
    preview: 'Vous la trouverez dans votre galerie.',
    lead: (filename, host, when) =>
      `L’exploitant de ${host} ne masque plus ${filename} depuis le ${when}. Ses codes, ses pages et les liens des e-mails fonctionnent à nouveau.`,
    leadStillHidden: (filename, host, when) => `L’exploitant de ${host} ne masque plus ${filename} depuis le ${when}.`,
    stillHidden:
      'Les invités ne peuvent pas encore l’ouvrir, car vous l’aviez masquée vous-même. Vous pouvez l’afficher à nouveau dans votre galerie.',
    button: 'Ouvrir la photo',
  },
  message: 'Message de l’exploitant',
  reason: (host) => `Vous recevez cet e-mail parce qu’il concerne une photo de votre compte sur ${host}.`,
  disputed: {
    subject: (amount) => `Un paiement de ${amount} est contesté`,
    preview: 'De quoi il s’agit, et ce que vous pouvez faire.',
    heading: 'Un paiement est contesté',
    lead: (account, amount, when) =>
      `Le titulaire de la carte ou du compte qui a payé ${amount} pour ${account} a contesté ce paiement auprès de sa banque le ${when}. La banque reprend l’argent jusqu’à la décision.`,
    why: (reason) => `Le motif indiqué par le prestataire de paiement : ${reason}.`,
    respond: (when) =>
      `Vous pouvez envoyer des justificatifs au prestataire de paiement jusqu’au ${when}, sur sa page.`,
    ends: 'La formule continue pour le moment. Si la contestation aboutit, l’abonnement est résilié sans remboursement et la formule prend fin.',
    button: 'Ouvrir le compte',
    reason: (host) => `Vous recevez cet e-mail parce que vous exploitez ${host}.`,
  },
}

export const storageEmails: typeof english.storageEmails = {
  usage: {
    photosNearlyUsed: (used, limit) => `Vous avez utilisé ${used} de vos ${limit} photos du mois`,
    photosUsed: (limit) => `Vous avez utilisé vos ${limit} photos du mois`,
    storageNearlyFull: (used, limit) => `Vous avez utilisé ${used} de vos ${limit} de stockage`,
    storageFull: (limit) => `Votre espace de ${limit} est plein`,
    preview: (planName) => `Ce que comprend votre formule, ${planName}, et comment en avoir plus.`,
    photosLead: (planName, limit) => `Votre formule, ${planName}, comprend ${limit} photos par mois.`,
    photosUntil: (when) => `Le compteur repart à zéro le ${when}.`,
    photosWait:
      'D’ici là, les nouvelles photos restent dans votre file d’envoi. Elles partiront d’elles-mêmes dès qu’il y aura de la place.',
    storageLead: (planName, limit, used) =>
      `Votre formule, ${planName}, comprend ${limit} de stockage. Vos photos en occupent ${used}.`,
    storageWaits:
      'Les nouvelles photos qui ne tiennent plus restent dans votre file d’envoi. Elles partiront d’elles-mêmes dès qu’il y aura de la place.',
    morePhotos: 'S’il vous en faut davantage d’ici là, choisissez une formule supérieure.',
    moreStorage: 'Supprimez les photos dont vous n’avez plus besoin, ou choisissez une formule supérieure.',
    morePhotosThanAnyPlan: (address) => `S’il vous en faut davantage d’ici là, écrivez à ${address}.`,
    moreStorageThanAnyPlan: (address) =>
      `Supprimez les photos dont vous n’avez plus besoin. S’il vous faut plus d’espace, écrivez à ${address}.`,
    gallery: 'Ouvrir la galerie',
    reason: (host) => `Vous recevez cet e-mail parce que votre compte sur ${host} a atteint une limite de sa formule.`,
  },
  removal: {
    subject: (photos, count, when) =>
      photos < 2 ? `${count} photo sera supprimée le ${when}` : `${count} photos seront supprimées le ${when}`,
    preview:
      'Téléchargez tout, choisissez une formule supérieure ou supprimez les photos dont vous n’avez plus besoin.',
    heading: (photos, count) =>
      photos < 2 ? 'Une de vos photos sera supprimée' : `${count} de vos photos seront supprimées`,
    lead: (planName, limit, used) =>
      `Votre formule précédente a pris fin. Vous avez désormais ${planName}, avec ${limit} de stockage, et vos photos occupent ${used}.`,
    removed: ({ photos, count, size, when }) =>
      photos < 2
        ? `Le ${when}, la photo la plus ancienne (${size}) sera supprimée pour que les autres tiennent. Ses codes et ses liens ne fonctionneront plus.`
        : `Le ${when}, les ${count} photos les plus anciennes (${size}) seront supprimées pour que les autres tiennent. Leurs codes et leurs liens ne fonctionneront plus.`,
    keep: (pricingUrl) =>
      `Pour les garder toutes, choisissez une formule supérieure sur ${pricingUrl} ou supprimez d’autres photos avant ce jour.`,
    archive:
      'Une copie de tout le contenu de votre compte est prête. Gardez son lien pour vous : toute personne qui l’a peut ouvrir le fichier.',
    noArchive: 'Dans les paramètres, vous pouvez demander une copie de tout le contenu de votre compte.',
    download: 'Tout télécharger',
    expiry: (when) => `Le lien fonctionne jusqu’au ${when}.`,
    reason: (host) => `Vous recevez cet e-mail parce que des photos de votre compte sur ${host} vont être supprimées.`,
  },
  removed: {
    subject: (photos, count) => (photos < 2 ? `${count} photo a été supprimée` : `${count} photos ont été supprimées`),
    preview: (when) => `Vous pouvez encore les récupérer jusqu’au ${when}.`,
    heading: (photos, count) =>
      photos < 2 ? 'Une de vos photos a été supprimée' : `${count} de vos photos ont été supprimées`,
    lead: (planName, limit, size) =>
      `Votre formule, ${planName}, comprend ${limit} de stockage. Les photos les plus anciennes (${size}) ont été supprimées pour que les autres tiennent.`,
    restore: (when) =>
      `Jusqu’au ${when}, vous pouvez les récupérer : choisissez une formule supérieure et elles reviennent d’elles-mêmes, ou faites de la place et récupérez-les dans les paramètres. Ensuite, elles seront effacées définitivement.`,
    reason: (host) => `Vous recevez cet e-mail parce que des photos de votre compte sur ${host} ont été supprimées.`,
  },
}
