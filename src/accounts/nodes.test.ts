import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { generate } from 'otplib';
import { MemoryNetwork } from '../cluster/memory-bus.ts';
import { WrongCredentialsError } from './errors.ts';
import { BELIEVED_MS } from './sessions.ts';
import { NEWCOMER, PASSWORD, TestAccounts } from './test-accounts.ts';
