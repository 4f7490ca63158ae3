import type { operatorEmails as english } from '../en/operator-emails.ts'

export const operatorEmails: typeof english = {
  hidden: {
    subject: 'Une de vos photos a été masquée aux invités',
    preview: 'Pourquoi, et ce que vous pouvez faire.',
    heading: 'Une de vos photos a été masquée',
    lead: (filename, host, when) =>
      `L’exploitant de ${host} a masqué ${filename} aux invités le ${when}. Ses codes, ses pages et les liens des e-mails ne l’ouvrent plus.`,
    /** Where the operator wrote no message. */
    why: 'Un invité l’avait signalée, puis elle a été examinée.',
    hint: 'Dans votre galerie, vous voyez son emplacement et la raison, et vous pouvez la supprimer. Tant qu’elle est masquée, personne ne peut ouvrir la photo elle-même, pas même vous. Si vous pensez qu’il s’agit d’une erreur, contactez l’assistance.',
    button: 'Contacter l’assistance',
  },
  shown: {
    subject: 'Votre photo est de nouveau autorisée',
    preview: 'Vous la trouverez dans votre galerie.',
    heading: 'Votre photo est de nouveau autorisée',
    lead: (filename, host, when) =>
      `L’exploitant de ${host} ne masque plus ${filename} depuis le ${when}. Ses codes, ses pages et les liens des e-mails fonctionnent à nouveau.`,
    leadStillHidden: (filename, host, when) => `L’exploitant de ${host} ne masque plus ${filename} depuis le ${when}.`,
    stillHidden:
      'Les invités ne peuvent pas encore l’ouvrir, car vous l’aviez masquée vous-même. Vous pouvez l’afficher à nouveau dans votre galerie.',
    button: 'Ouvrir la photo',
  },
  message: 'Message de l’exploitant',
  reason: (host) => `Vous recevez cet e-mail parce qu’il concerne une photo de votre compte sur ${host}.`,
  /** To the operators, about a payment that its holder disputes at the bank. */
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
