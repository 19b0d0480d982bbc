# SPDX-License-Identifier: MIT
"""
Begin a training with the weights of written nets.

A written net has its batch norms folded into its convolutions. They are unfolded again by what
samples of the new school look like inside the net, so that it computes the same and can learn on.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import onnx
import torch
from onnx import numpy_helper
from torch import nn

Net = TypeVar("Net", bound=nn.Module)


def load_written(net: Net, path: Path, samples: list[torch.Tensor]) -> Net:
    """
    Return a new net of the same shape as a written one with its weights, ready to learn on.

    `samples` are batches of what it will see.

    Raises:
        ValueError: The file holds a net of another shape.
    """
    graph = onnx.load(str(path)).graph
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    written = [node for node in graph.node if node.op_type == "Conv"]
    pairs = list(_convolutions(net, samples[0]))
    if len(written) != len(pairs):
        raise ValueError(f"{path}: expected {len(pairs)} convolutions, found {len(written)}")
    with torch.no_grad():
        for node, (convolution, norm) in zip(written, pairs, strict=True):
            weight, bias = (torch.from_numpy(stored[name].copy()) for name in node.input[1:3])
            if weight.shape != convolution.weight.shape:
                raise ValueError(
                    f"{path}: expected weights {tuple(convolution.weight.shape)}, "
                    f"found {tuple(weight.shape)}"
                )
            convolution.weight.copy_(weight)
            if norm is None:
                convolution.bias.copy_(bias)
                continue
            norm.bias.copy_(bias)
            norm.weight.fill_(1.0)
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
    _unfold(net, [norm for _, norm in pairs if norm is not None], samples)
    return net


def _convolutions(
    net: nn.Module, sample: torch.Tensor
) -> Iterator[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """Yield the convolutions in the order in which they run, each with its batch norm."""
    order: list[nn.Conv2d] = []
    hooks = [
        part.register_forward_hook(lambda part, _given, _result: order.append(part))
        for part in net.modules()
        if isinstance(part, nn.Conv2d)
    ]
    norms = {
        parts[0]: parts[1]
        for part in net.modules()
        if isinstance(part, nn.Sequential)
        for parts in pairwise(part)
        if isinstance(parts[0], nn.Conv2d) and isinstance(parts[1], nn.BatchNorm2d)
    }
    net.eval()
    with torch.no_grad():
        net(sample[:2])
    for hook in hooks:
        hook.remove()
    for convolution in order:
        yield convolution, norms.get(convolution)


def _unfold(net: nn.Module, norms: list[nn.BatchNorm2d], samples: list[torch.Tensor]) -> None:
    """Give batch norms the mean and spread of what they see, without changing the net."""
    seen: dict[nn.BatchNorm2d, list[torch.Tensor]] = {norm: [] for norm in norms}

    def note(norm: nn.BatchNorm2d, given: tuple[torch.Tensor]) -> None:
        flat = given[0].transpose(0, 1).flatten(1)
        seen[norm].append(torch.stack([flat.mean(dim=1), flat.square().mean(dim=1)]))

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    net.eval()
    with torch.no_grad():
        for sample in samples:
            net(sample)
        for hook in hooks:
            hook.remove()
        for norm, noted in seen.items():
            mean, square = torch.stack(noted).mean(dim=0)
            variance = (square - mean.square()).clamp(min=1e-6)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.add_(mean)
