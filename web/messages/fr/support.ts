import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/support.ts'

export const supportEmails: typeof english.supportEmails = {
  received: {
    subject: 'Nous avons bien reçu votre message',
    preview: 'Nous vous répondrons par e-mail.',
    lead: (host, when) => `Votre message à l’assistance de ${host} est arrivé le ${when}.`,
    answer: 'Nous vous répondrons par e-mail à cette adresse. Vous n’avez rien à faire.',
    reason: (host) =>
      `Vous recevez cet e-mail parce que cette adresse a été indiquée dans le formulaire de contact de ${host}. ` +
      `Si ce n’était pas vous, vous pouvez ignorer cet e-mail.`,
  },
}

export const supportQuestions: typeof english.supportQuestions = {
  event: {
    heading: 'Pendant l’événement',
    questions: {
      connection: {
        question: 'L’écran a perdu la connexion. Que faire ?',
        answer:
          'Laissez la page Grand écran ouverte. La dernière photo et son code restent affichés, et la connexion revient d’elle-même. Les photos que vous envoyez entre-temps attendent dans la file d’envoi. Si cela dure plus d’une minute, vérifiez le réseau de l’ordinateur : les réseaux pour invités demandent souvent de se reconnecter après un certain temps.',
      },
      scan: {
        question: 'Les invités scannent le code, mais rien ne s’ouvre',
        answer:
          'Leur téléphone a besoin d’une connexion qui permet d’atteindre ce site. Dans Paramètres, « Tout prêt pour ce soir ? » affiche un code de test que vous pouvez scanner vous-même. Veillez à ce qu’aucune lampe ne se reflète dans l’écran et que rien ne couvre le bord blanc autour du code.',
      },
      screens: {
        question: 'Puis-je montrer les photos sur plusieurs écrans ?',
        answer:
          'Oui. Connectez-vous sur chacun et ouvrez Grand écran : tous affichent une nouvelle photo dès qu’elle est prête.',
      },
      awake: {
        question: 'Comment garder l’écran allumé ?',
        answer:
          'Tant que la page Grand écran est ouverte, l’écran de l’ordinateur reste allumé. Les téléviseurs et les projecteurs ont parfois leur propre minuterie de veille : désactivez-la avant la soirée.',
      },
    },
  },
  photos: {
    heading: 'Photos et invités',
    questions: {
      email: {
        question: 'L’e-mail d’un invité n’est pas arrivé',
        answer:
          'La page Demandes de photos indique ce qu’est devenu chaque e-mail. Le plus souvent, il est dans les courriers indésirables, ou l’adresse contient une faute de frappe : l’invité peut alors scanner le code à nouveau. Un e-mail qui a échoué peut être renvoyé depuis cette page.',
      },
      link: {
        question: 'Combien de temps le lien de l’e-mail fonctionne-t-il ?',
        answer: `${limits.grantHours} heures, pour cette seule photo et aussi souvent que l’invité le souhaite. Ensuite, l’invité peut scanner le code à nouveau.`,
      },
      remove: {
        question: 'Quelqu’un veut faire retirer sa photo',
        answer:
          'Ouvrez la photo dans la Galerie, puis masquez-la ou supprimez-la. Dès ce moment, les invités ne peuvent plus l’ouvrir, ni avec ses codes ni avec les liens des e-mails. Les invités peuvent aussi signaler une photo sur sa page : vous recevez un e-mail et vous décidez.',
      },
      addresses: {
        question: 'Que deviennent les adresses e-mail des invités ?',
        answer: `Elles servent à envoyer la photo demandée, et à rien d’autre. Vous les voyez dans Demandes de photos. Elles sont supprimées après ${limits.requestDays} jours.`,
      },
    },
  },
  account: {
    heading: 'Votre compte',
    questions: {
      password: {
        question: 'J’ai oublié mon mot de passe',
        answer: `Choisissez « Mot de passe oublié ? » sur la page de connexion. Nous vous envoyons un lien pour en définir un nouveau. Il fonctionne pendant ${accountLimits.resetMinutes} minutes.`,
      },
      data: {
        question: 'Comment télécharger mes données ou supprimer mon compte ?',
        answer: `Les deux se font dans Paramètres. Nous vous envoyons un lien vers un seul fichier avec tout le contenu de votre compte ; il fonctionne pendant ${accountLimits.exportDays} jours. Un compte supprimé ne peut pas être rétabli : vos photos disparaissent et les codes imprimés ne fonctionnent plus.`,
      },
    },
  },
  plans: { heading: 'Formules et paiement' },
}

export const support: typeof english.support = {
  title: 'Aide',
  description: `Des réponses à vos questions sur ${productName}, et un formulaire pour nous écrire.`,
  lead: 'Vous trouverez ici la plupart des réponses. Pour le reste, écrivez-nous.',
  write: 'Écrivez-nous',
  questions: 'Questions et réponses',
  linkTo: (question) => `Lien vers « ${question} »`,
  fields: { name: 'Nom', email: 'E-mail', subject: 'Objet', message: 'Message' },
  charactersLeft: (count, written) => (count < 2 ? `${written} caractère restant` : `${written} caractères restants`),
  charactersOver: (count, written) => (count === 1 ? '1 caractère de trop' : `${written} caractères de trop`),
  send: 'Envoyer le message',
  sendAgain: 'Renvoyer',
  sending: 'Envoi en cours',
  honeypot: 'Laissez ce champ vide',
  privacy: 'Votre nom et votre adresse nous servent à vous répondre, et à rien d’autre.',
  priority: 'Votre formule comprend l’assistance prioritaire : votre message passe en premier.',
  problems: {
    name: { missing: 'Veuillez indiquer votre nom', long: (most) => `${most} caractères au maximum` },
    subject: { missing: 'Veuillez indiquer un objet', long: (most) => `${most} caractères au maximum` },
    message: { missing: 'Veuillez écrire un message', long: (most) => `${most} caractères au maximum` },
    email: {
      missing: 'Veuillez indiquer votre adresse e-mail',
      at: 'Indiquez une adresse complète, par exemple nom@example.com',
      ending: 'Il manque la fin de l’adresse, par exemple .com',
      several: 'Indiquez une seule adresse',
      space: 'L’adresse contient un espace',
      characters: 'L’adresse contient des caractères non autorisés',
      long: 'L’adresse est trop longue',
      form: 'Cela ne ressemble pas à une adresse e-mail',
    },
  },
  failed: 'Votre message n’a pas été envoyé.',
  offline: 'Vous semblez être hors ligne. Vérifiez votre connexion et réessayez.',
  tryAgain: 'Veuillez réessayer plus tard.',
  tooMany: (wait) => `Trop de messages sont venus de votre réseau. Réessayez dans ${wait}.`,
  waitMinutes: (minutes) => (minutes === 1 ? 'une minute' : `${minutes} minutes`),
  waitHours: (hours) => (hours === 1 ? 'une heure' : `${hours} heures`),
  stillHere: 'Votre texte est toujours là.',
  orEmail: 'Ou écrivez-nous à',
  sent: {
    heading: 'Message envoyé',
    answer: 'Nous avons bien reçu votre message. Nous répondrons par e-mail à',
    spam: 'Pas de réponse ? Regardez dans vos courriers indésirables et vérifiez l’adresse ci-dessus.',
    another: 'Écrire un autre message',
    home: 'Accueil',
    back: 'Retour à l’aide',
  },
}
