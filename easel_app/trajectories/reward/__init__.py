"""Rewards for reinforcement learning, in the shapes that TRL's GRPOTrainer takes; docs/reward.md has examples."""

from easel_app.trajectories.reward.episode import PaintingEpisode, task_of
from easel_app.trajectories.reward.similarity import INVALID, SimilarityReward, similarity_reward

__all__ = ["INVALID", "PaintingEpisode", "SimilarityReward", "similarity_reward", "task_of"]
