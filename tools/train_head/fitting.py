"""Fitting the head with torch, which is no dependency of the project: install it by hand."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from easel_app.handwriting.network import ALPHABET

from .samples import Sample

HIDDEN, TAPS, BATCH, RATE = 160, 5, 64, 2e-3
BLIND, DROP = 0.1, 0.2
"""Share of the input, and of each layer, that is dropped while learning."""


def fit(samples: list[Sample], rounds: int) -> dict[str, np.ndarray]:
    """The layers of `easel_app.handwriting.head.Head`, float16."""
    torch.set_num_threads(1)  # more only wait for each other at this size
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    some = np.concatenate([one.seen for one in samples[:3000]]).astype(np.float32)
    mean, scale = some.mean(0), some.std(0) + 1e-3
    inputs = [((one.seen - mean) / scale).astype(np.float16) for one in samples]
    wanted = [[ALPHABET.index(letter) for letter in one.word] for one in samples]
    layers: list[Any] = [nn.Conv1d(len(mean), HIDDEN, 1)]
    layers += [nn.Conv1d(HIDDEN, HIDDEN, TAPS, padding=TAPS // 2) for _ in range(2)]
    layers += [nn.Conv1d(HIDDEN, len(ALPHABET), 1)]
    net, loss = nn.ModuleList(layers), nn.CTCLoss(blank=0, zero_infinity=True)
    steps = rounds * -(-len(samples) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    for turn in range(rounds):
        order = sorted(rng.permutation(len(samples)), key=lambda i: len(inputs[i]) + 12 * rng.random())
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        rng.shuffle(batches)
        total = 0.0
        for batch in batches:
            lengths = [len(inputs[i]) for i in batch]
            row = np.zeros((len(batch), max(lengths), len(mean)), np.float16)
            inside = np.zeros((len(batch), 1, max(lengths)), np.float32)
            for place, i in enumerate(batch):
                row[place, : lengths[place]], inside[place, :, : lengths[place]] = inputs[i], 1
            mask = torch.from_numpy(inside)
            with torch.autocast("cpu", dtype=torch.bfloat16):  # several times as fast where the processor has it
                x = functional.dropout(torch.from_numpy(row).bfloat16().transpose(1, 2), BLIND)
                for layer in layers[:-1]:
                    x = functional.dropout(torch.relu(layer(x)) * mask, DROP)
                signs = layers[-1](x)
            chances = signs.float().permute(2, 0, 1).log_softmax(-1)
            answers = [wanted[i] for i in batch]
            cost = loss(
                chances,
                torch.tensor(list(chain.from_iterable(answers))),
                torch.tensor(lengths),
                torch.tensor([len(a) for a in answers]),
            )
            optimiser.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5)
            optimiser.step()
            schedule.step()
            total += cost.item()
        print(f"round {turn + 1}: loss {total / len(batches):.3f}", flush=True)
    return exported(layers, mean, scale)


def exported(layers: list[Any], mean: np.ndarray, scale: np.ndarray) -> dict[str, np.ndarray]:
    """Weights as (taps, in, out); the scaling of the input is folded into the first layer."""
    found = {}
    for name, layer in zip(("first", "second", "third", "last"), layers, strict=True):
        weight, bias = layer.weight.detach().numpy().transpose(2, 1, 0), layer.bias.detach().numpy()
        if name == "first":
            weight = weight / scale[:, None]
            bias = bias - mean @ weight[0]
        found[name], found[f"{name}_bias"] = weight.astype(np.float16), bias.astype(np.float16)
    return found
