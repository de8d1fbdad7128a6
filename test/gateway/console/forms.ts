import * as z from 'zod';
import type { KeyOptions } from '../account.ts';
import type { KeyRecord } from '../accountState.ts';
import { chooseFault } from '../faultTable.ts';
import { groups } from '../models/catalogue.ts';
import { Refusal } from '../refusal.ts';
import { dayText } from './page.ts';

const faultName = z.string().superRefine((text, issue) => {
  try {
    chooseFault(text);
  } catch (error) {
    issue.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

/** The options of a key in JSON; forms are converted to the same shape. */
const keyOptions = z.strictObject({
  name: z.string().trim().min(1).max(80),
  groups: z.array(z.enum(groups)).default([...groups]),
  quotaMicroUsd: z.number().int().nonnegative().max(1e15).nullish(),
  expiresAt: z.number().nullish(),
  fault: faultName.nullish(),
  errorsAs200: z.boolean().optional(),
});

const topUp = z.coerce.number().min(0.01).max(10_000);

function refuse(error: z.ZodError): never {
  const issue = error.issues[0];
  const field = issue?.path.map(String).join('.') ?? '';
  throw new Refusal(400, 'invalid_value', `${field === '' ? 'The form' : field}: ${issue?.message ?? 'unusable'}`);
}

/** Reads the options of a key from JSON text; throws a Refusal that names the invalid field. */
export function readKeyJson(text: string): KeyOptions {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'invalid_json', 'The request body is not valid JSON.');
  }
  const parsed = keyOptions.safeParse(json);
  return parsed.success ? parsed.data : refuse(parsed.error);
}

/**
 * Reads the key form. A form that changes a key has no name. If the day is unchanged, the key keeps its exact time of
 * expiry.
 */
export function readKeyForm(form: URLSearchParams, key?: KeyRecord): KeyOptions {
  const quotaUsd = form.get('quotaUsd')?.trim() ?? '';
  const expiresOn = form.get('expiresOn')?.trim() ?? '';
  const fault = form.get('fault')?.trim() ?? '';
  const isSameDay = key !== undefined && dayText(key.expiresAt) === expiresOn;
  const parsed = keyOptions.safeParse({
    name: key?.name ?? form.get('name') ?? '',
    groups: form.getAll('groups'),
    quotaMicroUsd: quotaUsd === '' ? null : Math.round(Number(quotaUsd) * 1e6),
    expiresAt: expiresOn === '' ? null : isSameDay ? key?.expiresAt : Date.parse(`${expiresOn}T23:59:59.999Z`),
    fault: fault === '' ? null : fault,
    errorsAs200: form.has('errorsAs200'),
  });
  return parsed.success ? parsed.data : refuse(parsed.error);
}

/** Reads the top-up form and returns the amount in micro-USD. */
export function readTopUp(form: URLSearchParams): number {
  const parsed = topUp.safeParse(form.get('amountUsd'));
  return parsed.success ? Math.round(parsed.data * 1e6) : refuse(parsed.error);
}
